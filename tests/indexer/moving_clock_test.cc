// TTL while time goes on (M23, M24): the same value again, cells that end beside others, deaths between two clocks.
// After each event of a row the index shows of it what the source shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/indexer/support/properties.h"
#include "tests/indexer/support/scenario.h"

namespace fensi::testing {
namespace {

constexpr char kTwentySeconds[] = "    create: { families: { f: { ttl: 20s } } }\n";
constexpr std::array<const char*, 3> kColumns = {"k", "v", "m"};
constexpr int kEvents = 14;

struct Kind {
  std::string name;
  Rule rule;
  bool with_source = false;
  std::string options;
  bool own_ttls = false;  // some cells have one
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::vector<Kind> Kinds() {
  std::vector<Rule> rules = AllRules();
  rules.push_back(UniqueRule());
  rules.push_back(SharedRule());
  rules.push_back({"shared-default",
                   "    row: '{f:k}'\n    columns: { 'f:': '{f:v | default none}' }\n    shared: true\n",
                   [](const std::string&, const SourceModel::VisibleRow& cells, Entries* out) {
                     const auto key = cells.find({"f", "k"}), value = cells.find({"f", "v"});
                     if (key == cells.end()) return;
                     (*out)[{key->second.value, "f:"}] = value == cells.end() ? "none" : value->second.value;
                   }});
  rules.push_back({"either", "    row: '{row}'\n    columns: { 'f:e': '' }\n    when: ['{f:k} == a or {f:v} == b']\n",
                   [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
                     const auto key = cells.find({"f", "k"}), value = cells.find({"f", "v"});
                     const bool holds = (key != cells.end() && key->second.value == "a") ||
                                        (value != cells.end() && value->second.value == "b");
                     if (holds) (*out)[{row, "f:e"}] = "";
                   }});
  rules.push_back({"absent", "    row: '{f:k}'\n    columns: { 'f:{row}': '' }\n    when: ['not {f:v}']\n",
                   [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
                     const auto key = cells.find({"f", "k"});
                     if (key != cells.end() && !cells.contains({"f", "v"}))
                       (*out)[{key->second.value, "f:" + row}] = "";
                   }});
  std::vector<Kind> kinds;
  for (const bool source : {false, true}) {
    const std::string with = source ? "_source" : "";
    for (const Rule& rule : rules) {
      kinds.push_back({rule.name + with, rule, source, kTwentySeconds});
      kinds.push_back({rule.name + with + "_own_ttls", rule, source, kTwentySeconds, true});
      kinds.push_back({rule.name + with + "_only_own_ttls", rule, source, "", true});
    }
  }
  for (const Rule& rule : MirrorRules()) {
    kinds.push_back({rule.name + "_mirror", rule, true, kTwentySeconds});
  }
  return kinds;
}

class MovingClock : public ::testing::TestWithParam<Kind> {
 protected:
  MovingClock() : world_(GetParam().rule, GetParam().with_source, GetParam().options) {}

  int Pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  Cell RandomCell(int64_t now) {
    static const char* const kValues[] = {"a", "b"};
    Cell cell{.family = "f",
              .qualifier = kColumns[static_cast<size_t>(Pick(3))],
              .timestamp = now,
              .value = kValues[Pick(2)]};
    if (GetParam().own_ttls && Pick(3) == 0) cell.tags.push_back(MakeTtlTag(1'000 * (1 + Pick(8))));
    if (GetParam().own_ttls && Asks() && Pick(3) == 0) cell.timestamp -= Pick(15'000);  // perhaps over when it is told
    const int kind = Pick(12);
    if (kind < 2) {
      cell.type = kind == 0 ? CellType::kDeleteFamily : CellType::kDeleteColumn;
      if (kind == 0) cell.qualifier.clear();
      cell.value.clear();
      cell.tags.clear();
      cell.timestamp -= 1;
    }
    return cell;
  }

  /// The source is asked where an end leaves doubt.
  bool Asks() const { return GetParam().with_source && !world_.index().unique() && !world_.index().shared(); }

  ChangeEvent RandomEvent() {
    const int64_t now = world_.clock()->WallMillis();
    ChangeEvent event{.table = "source", .row = "r", .sequence_id = ++sequence_};
    const int cells = 1 + Pick(3);
    std::set<std::string> columns;
    for (int i = 0; i < cells || columns.empty(); ++i) {
      Cell cell = RandomCell(now);
      const bool watched = IsFamilyMarker(cell.type) || world_.index().Watches("f", cell.qualifier);
      if (!watched || !columns.insert(cell.qualifier).second) continue;
      // HBase shows an older version when a newer one ends by itself, and nothing but the source tells of that.
      if (!cell.tags.empty() && !Asks()) {
        event.cells.push_back(
            {.family = "f", .qualifier = cell.qualifier, .timestamp = now - 1, .type = CellType::kDeleteColumn});
      }
      event.cells.push_back(std::move(cell));
    }
    return event;
  }

  ChangeEvent EventOfAll() {
    const int64_t now = world_.clock()->WallMillis();
    ChangeEvent event{.table = "source", .row = "r", .sequence_id = ++sequence_};
    for (const char* column : {"k", "m"}) {
      event.cells.push_back({.family = "f", .qualifier = column, .timestamp = now, .value = "b"});
    }
    return event;
  }

  void Passes(int64_t millis) { world_.clock()->Set(world_.clock()->WallMillis() + millis); }

  /// An owner that dies with its index written, or some calls before.
  void Dies(const std::vector<ChangeEvent>& events) {
    using When = store::FaultyStore::When;
    world_.faulty()->FailCall(1 + Pick(9), Pick(2) == 0 ? When::kBefore : When::kAfter);
    const auto owner = world_.NewMaintainer(false);
    const consumer::Batch batch = world_.MakeBatch(events);
    if (owner->Apply(batch).ok()) static_cast<void>(world_.RereadSource(owner.get(), batch));
    world_.faulty()->Heal();
  }

  void Tells(const std::vector<ChangeEvent>& events) {
    const auto owner = world_.NewMaintainer(false);
    const consumer::Batch batch = world_.MakeBatch(events);
    Must(owner->Apply(batch));
    Must(world_.RereadSource(owner.get(), batch));
  }

  void Plays() {
    world_.Reset();
    world_.clock()->Set(100'000);
    sequence_ = 0;
    std::vector<ChangeEvent> told;
    for (int i = 0; i < kEvents; ++i) {
      Passes(1 + Pick(12'000));
      std::vector<ChangeEvent> batch;
      for (int n = 1 + Pick(2); n > 0; --n) {
        Passes(1);
        batch.push_back(RandomEvent());
        world_.ApplyToSource(batch.back());
      }
      world_.ShowSource();
      story_ += "\n" + std::to_string(world_.clock()->WallMillis()) + ":";
      for (const ChangeEvent& event : batch) {
        for (const Cell& cell : event.cells) {
          story_ += " " + std::string(CellTypeName(cell.type)) + " " + cell.qualifier + "=" + cell.value + "@" +
                    std::to_string(cell.timestamp) + (cell.tags.empty() ? "" : " (own TTL)");
        }
        story_ += ";";
      }
      if (Pick(4) == 0) {
        Dies(batch);
        Passes(1 + Pick(8'000));
        story_ += " dies, told again " + std::to_string(world_.clock()->WallMillis());
        Tells(batch);  // perhaps known by now: then what ended since shows with the next event
        batch = {EventOfAll()};
        world_.ApplyToSource(batch.back());
      }
      Tells(batch);
      if (Pick(4) == 0) Tells(batch);
      if (!IsSettledBy(batch)) continue;
      ASSERT_EQ(world_.Difference(), "") << story_;
    }
  }

  /// Of `each:` beside named columns, the end of a bound one shows when a named one changes; of `each:` alone, and of a
  /// mirror, each column counts for itself.
  bool IsSettledBy(const std::vector<ChangeEvent>& batch) const {
    const bool mirrors = GetParam().rule.index.find("mode: stateless") != std::string::npos;
    const bool binds = GetParam().rule.index.find("each: f:*") != std::string::npos;
    if (!binds && !mirrors) return true;
    std::set<std::string> columns;
    for (const Cell& cell : batch.back().cells) {
      if (IsFamilyMarker(cell.type)) return true;
      columns.insert(cell.qualifier);
    }
    if (binds && world_.index().ends_matter()) return columns.contains("v") || columns.contains("m");
    return std::all_of(kColumns.begin(), kColumns.end(), [&](const char* column) {
      return columns.contains(column) || !world_.index().Watches("f", column);
    });
  }

  World world_;
  std::mt19937 random_{20'260'731};
  uint64_t sequence_ = 0;
  std::string story_;
};

TEST_P(MovingClock, AfterEachEventTheIndexShowsWhatTheSourceShows) {
  const int histories = Histories() / 8;
  for (int i = 0; i < histories && !HasFatalFailure(); ++i) {
    story_.clear();
    Plays();
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, MovingClock, ::testing::ValuesIn(Kinds()), [](const auto& kind) {
  std::string name;
  for (const char c : kind.param.name) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace
}  // namespace fensi::testing
