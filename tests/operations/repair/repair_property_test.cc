// Any mapping, any rows, any damage: a repair of what a comparison found leaves the index as if nothing had happened,
// and a later change of each row is followed.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "base/bytes.h"
#include "repair_world.h"
#include "tests/mapping/random_mapping.h"

namespace fensi::operations {
namespace {

using mapping::Accepted;
using mapping::Dice;
using mapping::SourceRow;

/// A cell of the index as it stands there.
struct IndexCell {
  std::string table, row, family, qualifier, value;
  int64_t timestamp = 0;
  mapping::Entry View() const { return {table, row, family, qualifier, value}; }
};

class Damaged {
 public:
  Damaged(const Accepted& mapping, Dice* dice) : dice_(dice), index_(*mapping.index), world_(mapping.index) {
    rows_ = RandomRows(dice, 2 + dice->Below(10));
    SetTime();
    Tell(0);
    ReadCells();
  }

  /// Uniqueness is a promise of who writes the source, and random rows do not keep it.
  bool clean() { return world_.Verify().empty(); }
  size_t cells() const { return cells_.size(); }

  size_t Damage() {
    for (size_t left = 1 + dice_->Below(5); left > 0; --left) {
      const size_t kind = dice_->Below(4);
      if (kind == 0 && !index_.shared()) Remove();
      if (kind == 1) Alter();
      if (kind > 1) Plant();
    }
    return world_.Verify().size();
  }

  std::string Differs() {
    FoundTargets found = world_.Found();
    const Outcome outcome = world_.Repair(&found);
    if (!outcome.left.empty()) return "left: " + outcome.left.front();
    if (std::string wrong = Wrong("after the repair"); !wrong.empty()) return wrong;
    const std::set<std::string> content = world_.Content();
    const Outcome again = world_.Repair(&found);
    if (!again.left.empty() || world_.Content() != content) return "a second repair changed something";
    // Which version of a shared cell is whose is not compared, so what was altered may outlive its row.
    if (index_.shared()) return "";
    Tell(1'000'000'000);
    return Wrong("after later changes");
  }

 private:
  void SetTime() {
    int64_t now = int64_t{1} << 41;
    if (!rows_.empty() && !rows_[0].cells.empty()) now = rows_[0].cells[0].timestamp + 86'400'000;
    world_.tables()->clock()->set_wall(std::clamp<int64_t>(now, 100'000'000, int64_t{1} << 50));
  }

  /// All rows, `later` than their times.
  void Tell(int64_t later) {
    std::vector<ChangeEvent> events;
    for (const SourceRow& row : rows_) {
      ChangeEvent event{.table = index_.source_table(), .row = row.row};
      for (const mapping::SourceCell& cell : row.cells) {
        event.cells.push_back({.family = cell.family,
                               .qualifier = cell.qualifier,
                               .timestamp = cell.timestamp + later,
                               .value = cell.value});
      }
      if (!event.cells.empty()) events.push_back(std::move(event));
    }
    world_.Change(events);
  }

  void ReadCells() {
    for (const std::string& table : world_.Tables()) {
      const auto rows = world_.tables()->store()->Scan(table, {.max_rows = 100'000});
      sweep::MustBe(rows.status());
      for (const store::Row& row : *rows) {
        for (const Cell& cell : row.cells) {
          cells_.push_back({table, row.row, cell.family, cell.qualifier, cell.value, cell.timestamp});
        }
      }
    }
  }

  /// Below what stands there, at it, above it, or above everything that will ever be.
  int64_t Version(const IndexCell& cell) {
    const int64_t versions[] = {1, cell.timestamp, cell.timestamp + 7, int64_t{1} << 60};
    return versions[dice_->Below(std::size(versions))];
  }

  void Remove() {
    if (cells_.empty()) return;
    const IndexCell& cell = dice_->Of(cells_);
    world_.tables()->RemoveCell(cell.View(), Version(cell));
  }

  void Alter() {
    if (cells_.empty()) return;
    IndexCell cell = dice_->Of(cells_);
    cell.value += "x";
    world_.tables()->PutCell(cell.View(), Version(cell));
  }

  void Plant() {
    IndexCell cell{index_.table(), "z", index_.create().families.back().name, "q", "v", 10};
    if (!cells_.empty()) {
      cell = dice_->Of(cells_);
      std::string* part = dice_->OneIn(2) ? &cell.row : &cell.qualifier;
      *part = dice_->OneIn(2) ? *part + "x" : RandomValue(dice_);
      if (dice_->OneIn(4)) cell.family = index_.create().families.back().name;
      if (cell.row.empty()) cell.row = "x";
    } else if (index_.table_is_template()) {
      return;
    }
    world_.tables()->PutCell(cell.View(), Version(cell));
  }

  std::string Wrong(const std::string& when) {
    const std::vector<std::string> wrong = world_.Verify();
    return wrong.empty() ? "" : when + ": " + wrong.front();
  }

  Dice* const dice_;
  const mapping::Index& index_;
  RepairWorld world_;
  std::vector<SourceRow> rows_;
  std::vector<IndexCell> cells_;
};

TEST(RepairProperty, AnyDamageIsMended) {
  size_t damages = 0, cells = 0;
  mapping::ForEachAccepted(mapping::Runs(1500), [&](const Accepted& mapping, Dice* dice) {
    Damaged world(mapping, dice);
    if (!world.clean()) return std::string();
    cells += world.cells();
    damages += world.Damage();
    return world.Differs();
  });
  EXPECT_GT(cells, static_cast<size_t>(mapping::Runs(1500)) / 10);
  EXPECT_GT(damages, static_cast<size_t>(mapping::Runs(1500)) / 20);
}

}  // namespace
}  // namespace fensi::operations
