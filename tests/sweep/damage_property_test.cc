// Any mapping, any rows, any damage: a comparison names what is damaged, and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/bytes.h"
#include "support/sweep_world.h"
#include "tests/mapping/random_mapping.h"

namespace fensi::sweep {
namespace {

using mapping::Accepted;
using mapping::Dice;
using mapping::SourceRow;

struct Made {
  std::string table, row, family, qualifier, value;
  int64_t expires_at = INT64_MAX, period = 0;
  std::string source;

  auto Name() const { return std::tie(table, row, family, qualifier); }
  bool operator<(const Made& other) const {
    return std::tie(source, table, row, family, qualifier) <
           std::tie(other.source, other.table, other.row, other.family, other.qualifier);
  }
  std::string Text() const { return table + " " + Escape(row) + " " + ColumnText(family, qualifier); }
  mapping::Entry View() const { return {table, row, family, qualifier, value, expires_at, period}; }
};

/// What each row gives, unit by unit, by the mapping alone.
std::vector<Made> EntriesOf(const mapping::Index& index, const std::vector<SourceRow>& rows) {
  std::vector<Made> made;
  for (const SourceRow& row : rows) {
    const auto add = [&](std::span<const mapping::VisibleCell> cells) {
      mapping::EntryList entries;
      std::vector<mapping::Unmappable> problems;
      index.Derive({row.row, cells}, &entries, &problems);
      for (size_t i = 0; i < entries.size(); ++i) {
        const mapping::Entry entry = entries[i];
        made.push_back({std::string(entry.table), std::string(entry.row), std::string(entry.family),
                        std::string(entry.qualifier), std::string(entry.value), entry.expires_at, entry.period,
                        row.row});
      }
    };
    const std::vector<mapping::VisibleCell> cells = row.View();
    if (index.state_scope() == mapping::StateScope::kRow) {
      add(cells);
    } else {
      for (const mapping::VisibleCell& cell : cells) {
        if (index.Watches(cell.family, cell.qualifier)) add(std::span(&cell, 1));
      }
    }
  }
  return made;
}

using Content = std::map<std::tuple<std::string, std::string, std::string, std::string>, std::string>;

class Damaged {
 public:
  Damaged(const Accepted& mapping, Dice* dice) : dice_(dice), world_(mapping.index), index_(*mapping.index) {
    rows_ = RandomRows(dice, 2 + dice->Below(12));
    made_ = EntriesOf(index_, rows_);
    for (const SourceRow& row : rows_) {
      for (const mapping::SourceCell& cell : row.cells) {
        world_.PutSource(row.row, cell.family + ":" + cell.qualifier, cell.value, cell.timestamp);
      }
    }
    // Most of what is kept, or about to expire, lies around the time of some entry.
    if (!made_.empty()) SetTime(dice->Of(made_));
    for (const Made& entry : made_) {
      if (dice->OneIn(6) && index_.table_is_template()) continue;
      world_.MakeTable(entry.table);
      tables_.insert(entry.table);
    }
    if (!index_.table_is_template()) tables_.insert(index_.table());
    for (const Made& entry : made_) {
      if (tables_.contains(entry.table)) Put(entry);
    }
  }

  void Damage() {
    for (size_t left = 1 + dice_->Below(5); left > 0; --left) {
      switch (dice_->Below(4)) {
        case 0:
          Remove();
          break;
        case 1:
          Alter();
          break;
        case 2:
          Plant(Neighbour());
          break;
        default:
          Plant(Garbage());
      }
    }
  }

  /// What a comparison has to say, by looking at everything.
  std::vector<std::string> Wanted() const {
    std::vector<std::string> wanted;
    std::set<Content::key_type> derived;
    for (const Made& entry : made_) {
      derived.insert(entry.Name());
      if (const auto text = WrongWith(entry))
        wanted.push_back(*text + " " + Escape(entry.source) + " -> " + entry.Text());
    }
    for (const auto& [cell, value] : content_) {
      if (derived.contains(cell)) continue;
      const auto& [table, row, family, qualifier] = cell;
      wanted.push_back("orphan -> " + table + " " + Escape(row) + " " + ColumnText(family, qualifier));
    }
    std::sort(wanted.begin(), wanted.end());
    return wanted;
  }

  /// As Wanted: which source row an orphan names does not matter here.
  std::vector<std::string> Found(const CompareOptions& options = {}) {
    std::vector<std::string> found;
    for (std::string text : world_.Compare(options)) {
      if (text.starts_with("unmappable")) continue;
      if (text.starts_with("orphan")) text = "orphan" + text.substr(text.find(" -> "));
      found.push_back(text);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  size_t entries() const { return made_.size(); }

 private:
  void SetTime(const Made& entry) {
    int64_t now = entry.period + dice_->Below(3) * 20 * 86'400'000;
    if (entry.expires_at != INT64_MAX && dice_->OneIn(2))
      now = entry.expires_at - static_cast<int64_t>(dice_->Below(2)) * 86'400'000;
    now_ = std::clamp<int64_t>(now, 100'000'000, int64_t{1} << 50);
    world_.clock()->set_wall(now_);
  }

  std::optional<std::string> WrongWith(const Made& entry) const {
    if (const auto keep = index_.keep_millis()) {
      if (entry.period < now_ - *keep || entry.period > now_ + 86'400'000) return std::nullopt;
    }
    if (entry.expires_at <= now_ + 2000) return std::nullopt;
    const auto cell = content_.find(entry.Name());
    if (cell == content_.end()) return "missing";
    if (index_.shared() || cell->second == entry.value) return std::nullopt;
    return "content_differs";
  }

  void Put(const Made& entry) {
    world_.PutCell(entry.View(), ++version_);
    content_[entry.Name()] = entry.value;
  }

  const Made* Any() const {
    if (made_.empty()) return nullptr;
    const Made& entry = dice_->Of(made_);
    return tables_.contains(entry.table) ? &entry : nullptr;
  }

  void Remove() {
    if (const Made* entry = Any()) {
      world_.RemoveCell(entry->View(), ++version_);
      content_.erase(entry->Name());
    }
  }

  void Alter() {
    if (const Made* entry = Any()) {
      Made altered = *entry;
      altered.value = dice_->OneIn(2) ? altered.value + "x" : RandomValue(dice_);
      Put(altered);
    }
  }

  /// A cell like one that is there, in row key or column.
  std::optional<Made> Neighbour() {
    const Made* entry = Any();
    if (entry == nullptr) return std::nullopt;
    Made near = *entry;
    std::string* part = dice_->OneIn(2) ? &near.row : &near.qualifier;
    switch (dice_->Below(3)) {
      case 0:
        *part += dice_->Text({"a", "x", "1"});
        break;
      case 1:
        if (!part->empty()) part->pop_back();
        break;
      default:
        *part = part == &near.row ? dice_->Of(made_).row : dice_->Of(made_).qualifier;
    }
    if (near.row.empty()) near.row = "x";
    return near;
  }

  std::optional<Made> Garbage() {
    if (tables_.empty()) return std::nullopt;
    Made garbage;
    garbage.table = *std::next(tables_.begin(), static_cast<ptrdiff_t>(dice_->Below(tables_.size())));
    garbage.row = "z" + RandomValue(dice_);
    garbage.family = index_.create().families.front().name;
    garbage.qualifier = RandomValue(dice_);
    garbage.value = RandomValue(dice_);
    return garbage;
  }

  /// Of cells that are there anyway it is an altered value.
  void Plant(std::optional<Made> cell) {
    if (cell) Put(*cell);
  }

  Dice* const dice_;
  SweepWorld world_;
  const mapping::Index& index_;
  std::vector<SourceRow> rows_;
  std::vector<Made> made_;
  std::set<std::string> tables_;
  Content content_;
  int64_t now_ = 1'480'000'000'000;
  int64_t version_ = 100;
};

std::string Difference(const std::vector<std::string>& wanted, const std::vector<std::string>& found) {
  if (wanted == found) return "";
  std::string text = "wanted:\n";
  for (const std::string& line : wanted) text += "  " + line + "\n";
  text += "found:\n";
  for (const std::string& line : found) text += "  " + line + "\n";
  return text;
}

constexpr int kMappings = 1500;

TEST(DamageProperty, NothingIsFoundWhereNothingIsDamaged) {
  size_t entries = 0;
  const int accepted = mapping::ForEachAccepted(mapping::Runs(kMappings), [&](const Accepted& mapping, Dice* dice) {
    Damaged world(mapping, dice);
    entries += world.entries();
    CompareOptions options;
    options.digest = dice->OneIn(2);
    return Difference(world.Wanted(), world.Found(options));
  });
  EXPECT_GT(accepted, mapping::Runs(kMappings) / 10);
  EXPECT_GT(entries, static_cast<size_t>(accepted));
}

TEST(DamageProperty, WhatIsDamagedIsNamedAndNothingElse) {
  size_t differences = 0;
  mapping::ForEachAccepted(mapping::Runs(kMappings), [&](const Accepted& mapping, Dice* dice) {
    Damaged world(mapping, dice);
    world.Damage();
    differences += world.Wanted().size();
    CompareOptions options;
    options.digest = dice->OneIn(2);
    return Difference(world.Wanted(), world.Found(options));
  });
  EXPECT_GT(differences, static_cast<size_t>(mapping::Runs(kMappings)) / 15);
}

}  // namespace
}  // namespace fensi::sweep
