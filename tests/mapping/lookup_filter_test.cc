// `lookup` of every kind of index gives what a filter over all of its entries gives: lists, messages, conditions, TTLs,
// shared cells, splits, zones, tables of periods and salts.
#include <gtest/gtest.h>

#include "tests/mapping/bounded_value.h"
#include "tests/mapping/lookup_case.h"

namespace fensi::mapping {
namespace {

constexpr size_t kSourceRows = 8;
constexpr int kAsked = 6;

using Owned = Shelf::Owned;

std::string EntryOfNobody(const Case& one) {
  for (const Stored& entry : one.entries) {
    if (entry.makers.empty()) return Named(entry.cell) + " is of no row";
  }
  return "";
}

std::string WrongByParts(const Case& one, const Maker& asked, size_t count, int* lookups) {
  const auto texts = Typed(one, asked, count);
  if (!texts) return "";
  const LookupRequest request{*texts, "", ""};
  const auto lookup = PlanLookup(*one.index, request);
  if (!lookup.ok()) return "";
  ++*lookups;
  const std::vector<Owned> found = one.shelf.Find(**lookup);
  for (const Stored& entry : one.entries) {
    for (const Maker* maker : entry.makers) {
      if (Shelf::IsIn(found, entry.cell) == AlikeInParts(one, asked, *maker, count)) continue;
      return Asked(request) + Named(entry.cell) + (Shelf::IsIn(found, entry.cell) ? " is found" : " is not found");
    }
  }
  return "";
}

struct Bounded {
  const Maker* asked;
  size_t count;
  BoundedValue value;
  ValueSpan span;
};

// Nothing: the entry is rightly found, or not.
std::string WrongBetween(const Case& one, const Bounded& asked, const Stored& entry, bool found) {
  for (const Maker* maker : entry.makers) {
    Scratch scratch;
    const auto value = one.force.Run(asked.value.part, asked.value.steps, *maker, &scratch);
    const bool fits = AlikeInParts(one, *asked.asked, *maker, asked.count);
    if (found && !fits) return " has other parts";
    if (!value) continue;
    const bool inside = asked.span.Includes(*value, asked.value.type);
    if (fits && inside && !found) return " is not found";
    if (!found || inside) continue;
    if (IsShownExactly(one, entry.cell, asked.value)) return " shows that it lies outside";
    if (!GivenInsideByAny(one, *maker, asked.value, asked.span)) return " lies outside";
  }
  return "";
}

std::string WrongByBounds(const Case& one, const Maker& maker, Dice* dice, int* lookups) {
  const bool instants = dice->OneIn(2);
  const size_t count = dice->Below(one.parts.size() + 1);
  const auto texts = Typed(one, maker, count);
  const auto value = BoundedValueOf(one, count, instants);
  if (!texts || !value) return "";
  Scratch scratch;
  const Bounded asked{
      &maker, count, *value, {ABound(one, *value, dice, &scratch), ABound(one, *value, dice, &scratch)}};
  const LookupRequest request{*texts, Written(asked.span.from, *value, instants),
                              Written(asked.span.to, *value, instants)};
  if (request.from.empty() && request.to.empty()) return "";
  if (request.from.empty() == asked.span.from.has_value() || request.to.empty() == asked.span.to.has_value()) return "";
  const auto lookup = PlanLookup(*one.index, request);
  if (!lookup.ok()) return "";
  ++*lookups;
  const bool no_tables = one.index->table_is_template() && (*lookup)->tables().empty();
  const std::vector<Owned> found = no_tables ? std::vector<Owned>() : one.shelf.Find(**lookup);
  for (const Stored& entry : one.entries) {
    const std::string wrong = WrongBetween(one, asked, entry, Shelf::IsIn(found, entry.cell));
    if (!wrong.empty()) return Asked(request) + Named(entry.cell) + wrong;
  }
  return "";
}

struct Counts {
  int by_parts = 0, by_bounds = 0;
};

std::string WrongLookup(const Case& one, Dice* dice, Counts* counts) {
  std::string wrong = EntryOfNobody(one);
  for (int i = 0; i < kAsked && wrong.empty() && !one.force.makers().empty(); ++i) {
    const Maker& maker = dice->Of(one.force.makers());
    wrong = WrongByParts(one, maker, dice->Below(one.parts.size() + 1), &counts->by_parts);
    if (wrong.empty()) wrong = WrongByBounds(one, maker, dice, &counts->by_bounds);
  }
  return wrong;
}

TEST(Lookup, OfEveryKindOfIndexIsAFilterOfAllEntries) {
  Counts counts;
  const int accepted = ForEachAccepted(Runs(8000), [&](const Accepted& mapping, Dice* dice) {
    const Case one(mapping, RandomRows(dice, kSourceRows));
    return WrongLookup(one, dice, &counts);
  });
  std::printf("%d mappings, %d lookups by parts, %d by bounds\n", accepted, counts.by_parts, counts.by_bounds);
  EXPECT_GT(counts.by_bounds, Runs(8000) / 20);
}

}  // namespace
}  // namespace fensi::mapping
