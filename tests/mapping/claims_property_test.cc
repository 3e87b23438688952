// What is claimed of a mapping before there is a row holds for every row: no two source rows meet in one cell, and what
// is shown as exact is what the source holds. All functions, all kinds of index.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "base/bytes.h"
#include "mapping/key_layout.h"
#include "mapping/lookup.h"
#include "tests/mapping/random_mapping.h"

namespace fensi::mapping {
namespace {

constexpr size_t kRows = 30;

using Cell = std::tuple<std::string, std::string, std::string, std::string>;

std::vector<Cell> CellsOf(const Index& index, const SourceRow& row) {
  EntryList entries;
  std::vector<Unmappable> problems;
  index.Derive({row.row, row.View()}, &entries, &problems);
  std::vector<Cell> cells;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry entry = entries[i];
    cells.emplace_back(entry.table, entry.row, entry.family, entry.qualifier);
  }
  return cells;
}

bool SaysRowsNeverMeet(const Index& index) {
  return KeyLayout(index).back() == "two source rows never write the same cell";
}

std::string MeetingRows(const Index& index, const std::vector<SourceRow>& rows) {
  std::map<Cell, std::string> writers;
  for (const SourceRow& row : rows) {
    for (const Cell& cell : CellsOf(index, row)) {
      const auto [at, fresh] = writers.emplace(cell, row.row);
      if (fresh || at->second == row.row) continue;
      return "rows " + Escape(at->second) + " and " + Escape(row.row) + " write " + Escape(std::get<1>(cell)) + " " +
             Escape(std::get<3>(cell));
    }
  }
  return "";
}

// Where a column is a unit of its own, no two of a row may write one cell.
std::string MeetingColumns(const Index& index, const std::vector<SourceRow>& rows) {
  for (const SourceRow& row : rows) {
    std::map<Cell, const SourceCell*> writers;
    for (const SourceCell& bound : row.cells) {
      for (const Cell& cell : CellsOf(index, {row.row, {bound}})) {
        const auto [at, fresh] = writers.emplace(cell, &bound);
        if (!fresh && at->second != &bound) {
          return "columns " + Escape(bound.qualifier) + " and " + Escape(at->second->qualifier) + " of row " +
                 Escape(row.row) + " write one cell";
        }
      }
    }
  }
  return "";
}

// Rows are such that what is not kept apart meets; without that the property below would say nothing.
TEST(RandomRows, MeetWhereNothingKeepsThemApart) {
  const auto met = [](const std::string& row, const std::string& columns) {
    const auto index = LoadText("source: t\nindexes:\n  x:\n    table: x_table\n    unique: true\n    row: '" + row +
                                "'\n    columns: { " + columns + " }\n");
    int times = 0;
    for (uint64_t seed = 1; seed <= 100; ++seed) {
      Dice dice(seed);
      times += MeetingRows(*index, RandomRows(&dice, kRows)).empty() ? 0 : 1;
    }
    return times;
  };
  EXPECT_GT(met("x", "'f:{row}{f:a | terminated}': ''"), 30);
  EXPECT_GT(met("x", "'f:{row}{f:a | without \"-\"}-': ''"), 30);
  EXPECT_GT(met("{f:b}", "'f:{row}': '{f:a}', 'f:a{row}': '{f:a}'"), 0);
}

TEST(AcceptedMappings, KeepSourceRowsAndUnitsApart) {
  int sure = 0;
  const int accepted = ForEachAccepted(Runs(8000), [&](const Accepted& mapping, Dice* dice) {
    const Index& index = *mapping.index;
    if (SaysRowsNeverMeet(index)) ++sure;
    std::string wrong;
    for (int sources = 0; sources < 3 && wrong.empty(); ++sources) {
      const std::vector<SourceRow> rows = RandomRows(dice, kRows);
      if (SaysRowsNeverMeet(index)) wrong = MeetingRows(index, rows);
      if (wrong.empty() && index.state_scope() == StateScope::kColumn) wrong = MeetingColumns(index, rows);
    }
    return wrong;
  });
  RecordProperty("accepted", accepted);
  std::printf("%d mappings accepted, %d of them sure that rows never meet\n", accepted, sure);
  EXPECT_GT(sure, 0);
}

// The value of a reference in a source row, as `lookup` shows it; nothing: several columns are meant.
std::optional<std::string> SourceValue(const SourceRow& row, const std::string& name) {
  if (name == "row") return row.row;
  if (name.find(" | ") != std::string::npos) return std::nullopt;  // a piece of a value
  const bool time = name.ends_with("@ts");
  const std::string column = time ? name.substr(0, name.size() - 3) : name;
  const size_t colon = column.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const SourceCell* const cell = row.Find(column.substr(0, colon), column.substr(colon + 1));
  if (cell == nullptr) return "(absent)";
  return time ? std::to_string(cell->timestamp) : cell->value;
}

std::string WrongWords(const Index& index, const SourceRow& row) {
  EntryList entries;
  std::vector<Unmappable> problems;
  index.Derive({row.row, row.View()}, &entries, &problems);
  for (size_t i = 0; i < entries.size(); ++i) {
    for (const KnownPart& part : Decode(index, entries[i])) {
      const std::optional<std::string> real = SourceValue(row, part.name);
      if (!part.exact || !real || *real == part.value) continue;
      return "row " + Escape(row.row) + ", cell " + Escape(entries[i].row) + " " + Escape(entries[i].qualifier) + ": " +
             part.name + "=" + Escape(part.value) + ", and it is " + Escape(*real);
    }
  }
  return "";
}

TEST(AcceptedMappings, ShowAsExactOnlyWhatTheSourceHolds) {
  ForEachAccepted(Runs(4000), [](const Accepted& mapping, Dice* dice) -> std::string {
    if (mapping.index->shared()) return "";
    for (const SourceRow& row : RandomRows(dice, kRows)) {
      const std::string wrong = WrongWords(*mapping.index, row);
      if (!wrong.empty()) return wrong;
    }
    return "";
  });
}

constexpr int64_t kSixtyDays = int64_t{60} * 24 * 3600 * 1000;

/// The same mapping with `expire: exact`; null: not accepted.
std::shared_ptr<const Index> WithExactEnds(std::string file) {
  if (file.find("create:") == std::string::npos) {
    file += "    create: { families: { f: { ttl: 60d }" +
            std::string(file.find("'g:") == std::string::npos ? "" : ", g: { ttl: 60d }") + " } }\n";
  }
  if (file.find("expire: exact") == std::string::npos) file += "    expire: exact\n";
  return LoadText(file);
}

/// What is derived of the cells of a row that have not ended, as text; absent: a value is unmappable.
std::optional<std::map<std::string, int64_t>> EndsAt(const Index& index, const SourceRow& row, int64_t now) {
  std::vector<VisibleCell> view = row.View();
  std::erase_if(view, [now](const VisibleCell& cell) { return cell.timestamp + kSixtyDays < now; });
  EntryList entries;
  std::vector<Unmappable> problems;
  index.Derive({row.row, view}, &entries, &problems);
  if (!problems.empty()) return std::nullopt;
  std::map<std::string, int64_t> ends;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry entry = entries[i];
    ends[Escape(entry.table) + " " + Escape(entry.row) + " " + Escape(entry.family) + ":" + Escape(entry.qualifier) +
         " = " + Escape(entry.value)] = entry.expires_at;
  }
  return ends;
}

/// An entry that appears, stays or changes when a cell ends.
std::string WrongAfterAnEnd(const Index& index, const SourceRow& row) {
  const auto first = EndsAt(index, row, 0);
  if (!first) return "";
  for (const SourceCell& cell : row.cells) {
    const int64_t now = cell.timestamp + kSixtyDays + 1;
    auto left = *first;
    std::erase_if(left, [now](const auto& entry) { return entry.second < now; });
    const auto derived = EndsAt(index, row, now);
    if (!derived || *derived == left) continue;
    std::string text = "row " + Escape(row.row) + " after the end of " + Escape(cell.qualifier) + ":";
    for (const auto& [entry, end] : left) text += "\n  left " + entry + " until " + std::to_string(end);
    for (const auto& [entry, end] : *derived) text += "\n  derived " + entry + " until " + std::to_string(end);
    return text;
  }
  return "";
}

/// Few and simple columns, which often are one cell.
std::string MappingOfMeetingColumns(Dice* dice) {
  const size_t kind = dice->Below(4);
  const char* const each = kind == 0 ? "each: 'f:q*'" : kind == 1 ? "each: '{f:list | split ,}'" : "requires: f:a";
  const auto part = [&] {
    if (kind == 0) return dice->Text({"{value}", "{value | first 1}", "{qualifier | terminated}", "{f:a}", "a"});
    if (kind == 1) return dice->Text({"{item}", "{item | first 1}", "{item | terminated}", "{f:a}", "a"});
    return dice->Text({"{f:a}", "{f:b}", "{f:a | terminated}", "{f:a | first 1}", "a", "b"});
  };
  const auto parts = [&](size_t least) {
    std::string text;
    for (size_t left = least + dice->Below(2); left > 0; --left) text += part();
    return text;
  };
  std::string columns;
  std::set<std::string> names;
  for (size_t left = 2 + dice->Below(2); left > 0; --left) {
    const std::string name = parts(1);
    if (!names.insert(name).second) continue;
    columns += "      'f:" + name + "': '" + dice->Text({"", "1", "{f:c}", "{f:d}", "{f:c}{f:d}"}) + "'\n";
  }
  return std::string("source: t\nindexes:\n  x:\n    table: x_table\n    ") + each +
         "\n    row: '{row}'\n    columns:\n" + columns;
}

SourceRow RowOfMeetingColumns(Dice* dice) {
  SourceRow row{"r", {}};
  for (const char* name : {"a", "b", "c", "d", "list", "q1", "q2"}) {
    if (dice->OneIn(8)) continue;
    const std::string list = dice->Text({"a", "a,b", "ab,b", "aa,ab"});
    row.cells.push_back({"f", name, std::string_view(name) == "list" ? list : dice->Text({"a", "b", "ab", "aa"}),
                         1'480'000'000'000 + static_cast<int64_t>(dice->Below(5))});
  }
  return row;
}

// No event reports the end of a cell, so the ends that the entries were given must be enough.
TEST(AcceptedMappings, WithExactEndsGiveNoOtherEntryWhenACellEnds) {
  int exact = 0;
  ForEachAccepted(Runs(4000), [&](const Accepted& mapping, Dice* dice) -> std::string {
    const auto index = WithExactEnds(mapping.file);
    if (index == nullptr) return "";
    ++exact;
    std::string wrong;
    for (SourceRow& row : RandomRows(dice, kRows)) {
      for (SourceCell& cell : row.cells) cell.timestamp = 1'480'000'000'000 + static_cast<int64_t>(dice->Below(5));
      if (wrong.empty()) wrong = WrongAfterAnEnd(*index, row);
    }
    return wrong;
  });
  std::printf("%d mappings accepted with exact ends\n", exact);
  EXPECT_GT(exact, 20);
}

TEST(AcceptedMappings, WithExactEndsGiveNoOtherEntryWhereColumnsMeet) {
  int accepted = 0, refused = 0;
  for (int seed = 1; seed <= Runs(4000) && !HasFailure(); ++seed) {
    Dice dice(static_cast<uint64_t>(seed));
    const std::string file = MappingOfMeetingColumns(&dice);
    const auto index = WithExactEnds(file);
    ++(index == nullptr ? refused : accepted);
    for (int rows = index == nullptr ? 0 : 30; rows > 0 && !HasFailure(); --rows) {
      EXPECT_EQ(WrongAfterAnEnd(*index, RowOfMeetingColumns(&dice)), "") << "seed " << seed << "\n" << file;
    }
  }
  std::printf("%d mappings accepted with exact ends, %d refused\n", accepted, refused);
  EXPECT_GT(accepted, 20);
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace fensi::mapping
