// What a source row holds, and what is shown of an entry, finds the entry in every kind of index.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/bytes.h"
#include "mapping/lookup.h"
#include "tests/mapping/lookup_testing.h"
#include "tests/mapping/random_mapping.h"

namespace fensi::mapping {
namespace {

constexpr size_t kRows = 8;

/// What a reader types who knows a source row; nothing: the row has several such values, or none.
std::optional<std::string> TextFrom(const SourceRow& row, const std::string& part) {
  if (part == "row") return row.row;
  const bool time = part.ends_with("@ts");
  const std::string column = time ? part.substr(0, part.size() - 3) : part;
  if (column.find(':') == std::string::npos || column.find(" | ") != std::string::npos) return std::nullopt;
  const ColumnName name = SplitColumn(column);
  const SourceCell* const cell = row.Find(name.family, name.qualifier);
  if (cell == nullptr) return std::nullopt;
  return time ? std::to_string(cell->timestamp) : cell->value;
}

/// The first parts of all entries of a row, as many as it decides.
std::vector<std::string> TextsFrom(const SourceRow& row, const std::vector<std::string>& parts) {
  std::vector<std::string> texts;
  for (const std::string& part : parts) {
    std::optional<std::string> text = TextFrom(row, part);
    if (!text) break;
    texts.push_back(std::move(*text));
  }
  return texts;
}

std::string Missed(const Index& index, const std::vector<SourceRow>& rows) {
  Shelf shelf(index);
  for (const SourceRow& row : rows) shelf.Put({row.row, row.View()});
  for (const SourceRow& row : rows) {
    std::vector<std::string> texts = TextsFrom(row, KeyPartNames(index));
    Shelf own(index);
    own.Put({row.row, row.View()});
    for (; !texts.empty(); texts.pop_back()) {
      const auto lookup = PlanLookup(index, {texts, "", ""});
      if (!lookup.ok()) continue;
      const std::vector<Shelf::Owned> found = shelf.Find(**lookup);
      for (const Shelf::Owned& entry : own.entries()) {
        const bool there = std::find(shelf.entries().begin(), shelf.entries().end(), entry) != shelf.entries().end();
        if (there && !Shelf::IsIn(found, entry)) return Escape(row.row) + ": " + Escape(entry.row) + " is not found";
      }
    }
  }
  return "";
}

TEST(Lookup, OfWhatARowHoldsFindsItsEntriesInEveryKindOfIndex) {
  const int accepted = ForEachAccepted(
      Runs(4000), [](const Accepted& mapping, Dice* dice) { return Missed(*mapping.index, RandomRows(dice, kRows)); });
  EXPECT_GT(accepted, Runs(4000) / 20);
}

/// The first parts of an entry as they are shown, up to one that is not.
std::vector<std::string> ShownParts(const Index& index, const Entry& entry) {
  const std::vector<KnownPart> known = Decode(index, entry);
  std::vector<std::string> texts;
  for (const std::string& name : KeyPartNames(index)) {
    const auto part =
        std::find_if(known.begin(), known.end(), [&](const KnownPart& each) { return each.name == name; });
    if (part == known.end()) break;
    texts.push_back(part->value);
  }
  return texts;
}

std::string NotFoundByWhatIsShown(const Index& index, const std::vector<SourceRow>& rows, int* typed) {
  Shelf shelf(index);
  for (const SourceRow& row : rows) shelf.Put({row.row, row.View()});
  for (const Shelf::Owned& entry : shelf.entries()) {
    std::vector<std::string> texts = ShownParts(index, entry.View());
    for (; !texts.empty(); texts.pop_back()) {
      const auto lookup = PlanLookup(index, {texts, "", ""});
      if (!lookup.ok()) continue;
      ++*typed;
      if (!Shelf::IsIn(shelf.Find(**lookup), entry))
        return Escape(entry.row) + " is not found by " + Escape(texts.back());
    }
  }
  return "";
}

TEST(Lookup, OfWhatIsShownFindsTheEntryThatShowsIt) {
  int typed = 0;
  ForEachAccepted(Runs(4000), [&](const Accepted& mapping, Dice* dice) {
    return NotFoundByWhatIsShown(*mapping.index, RandomRows(dice, kRows), &typed);
  });
  EXPECT_GT(typed, Runs(4000));
}

}  // namespace
}  // namespace fensi::mapping
