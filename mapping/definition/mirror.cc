#include <algorithm>
#include <set>

#include "mapping/definition/analysis.h"
#include "mapping/definition/checks.h"

namespace fensi::mapping {
namespace {

constexpr int kRowBits = 64;  // of a hash that tells source rows apart, as for any index

template <typename Wanted>
bool AnyPart(const Template& program, const Wanted& wanted) {
  return std::any_of(program.parts.begin(), program.parts.end(),
                     [&](const Part& part) { return !part.IsLiteral() && wanted(part); });
}

bool ReadsCells(const Part& part) {
  return AnyReference(part, [](const Reference& reference) {
    return reference.IsColumn() || reference.IsTime() || reference.kind == Reference::Kind::kBoundValue ||
           reference.kind == Reference::Kind::kItem;
  });
}

bool ReadsColumn(const Part& part) {
  return AnyReference(part, [](const Reference& reference) { return reference.IsColumn(); });
}
bool IsDefaulted(const Part& part) { return part.defaulted && ReadsColumn(part); }
/// Unmappable: what is absent, or too long, leaves the other columns of the entry alone.
bool MayFail(const Part& part) { return ReadsColumn(part) && !part.shape.mappable; }

bool ReadsValue(const Part& part) {
  return AnyReference(part, [](const Reference& reference) {
    return reference.kind == Reference::Kind::kColumn || reference.kind == Reference::Kind::kBoundValue;
  });
}

/// The only column of the source that the template reads; nothing: it reads none, or several.
std::optional<size_t> OnlySlot(const Template& program) {
  std::set<size_t> slots;
  for (const Part& part : program.parts) {
    ForEachReference(part, [&slots](const Reference& reference) {
      if (reference.IsColumn()) slots.insert(reference.slot);
    });
  }
  return slots.size() == 1 ? std::optional(*slots.begin()) : std::nullopt;
}

std::string ObstacleOfKind(const IndexDefinition& definition) {
  if (definition.shared) return "several source rows can write the same index cell ('shared: true')";
  if (definition.table_template) return "an entry of a period table moves to another table if its time changes";
  if (definition.each.fanout == Fanout::kList) return "'each:' over a list makes many entries of one value";
  if (definition.expire_exactly)
    return "'expire: exact' needs the time at which a cell ends, and a read of the source does not show this time";
  if (KnownBits(definition, Origin::kRow) < kRowBits) {
    return "an index cell does not name its source row, so that an entry may move to another row";
  }
  return "";
}

std::string ObstacleOfPlaces(const IndexDefinition& definition) {
  if (AnyPart(definition.row, ReadsCells)) {
    return "the row key '" + definition.row.text +
           "' has values of the source, so that an entry moves if a value changes";
  }
  const std::vector<ColumnRule>& columns = definition.columns;
  for (const ColumnRule& column : columns) {
    if (AnyPart(column.qualifier, ReadsCells))
      return "the qualifier of the column " + QuotedColumn(column) +
             " has values of the source, so that an entry moves if a value changes";
  }
  if (columns.size() > kMostComparedColumns) return "the index has more than 1000 columns";
  const ColumnOutlines outlines(columns);
  for (size_t i = 0; i < columns.size(); ++i) {
    for (size_t k = i + 1; k < columns.size(); ++k) {
      if (outlines.NeverMeet(i, k)) continue;
      return "the columns " + QuotedColumn(columns[i]) + " and " + QuotedColumn(columns[k]) + " can be one cell";
    }
  }
  return "";
}

/// Conditions that make an entry exist without its source cell.
std::string ObstacleOfAbsence(const IndexDefinition& definition) {
  bool absent = false, defaulted = false;
  for (const Condition& condition : definition.when) {
    ForEachTest(condition, [&](const Test& test) {
      absent |= test.comparison == Comparison::kAbsent && AnyPart(test.left, ReadsColumn);
      defaulted |= AnyPart(test.left, IsDefaulted) || AnyPart(test.right, IsDefaulted);
    });
  }
  for (const ColumnRule& column : definition.columns) defaulted |= AnyPart(column.value, IsDefaulted);
  if (absent) return "a condition with 'not' lets an entry exist while a column is absent";
  return defaulted ? "'default' lets an entry exist while a column is absent" : "";
}

/// One column of the source for all of the index, or one for each of its columns.
std::string ObstacleOfMothers(const IndexDefinition& definition) {
  if (definition.each.fanout == Fanout::kColumns) {
    const bool alone = definition.slots.empty() && ScopeOf(definition) == StateScope::kColumn;
    return alone ? ""
                 : "an entry depends on more than its column of 'each:', or two columns of 'each:' can give one cell";
  }
  if (definition.slots.size() == 1) return "";
  if (definition.exists || !definition.when.empty()) return "whether an entry exists depends on several columns";
  for (const ColumnRule& column : definition.columns) {
    if (!OnlySlot(column.value))
      return "the value of " + QuotedColumn(column) + " is not made of exactly one column of the source";
    if (AnyPart(column.value, MayFail)) {
      return "if the value of " + QuotedColumn(column) +
             " cannot be made, fensi must also remove the other columns of the entry";
    }
  }
  return "";
}

}  // namespace

std::string MirrorObstacle(const IndexDefinition& definition) {
  std::string obstacle;
  for (const auto of : {ObstacleOfKind, ObstacleOfPlaces, ObstacleOfMothers, ObstacleOfAbsence}) {
    if (obstacle = of(definition); !obstacle.empty()) break;
  }
  return obstacle;
}

std::optional<size_t> MotherSlot(const IndexDefinition& definition, size_t column) {
  if (definition.each.fanout == Fanout::kColumns) return std::nullopt;
  return definition.slots.size() == 1 ? size_t{0} : OnlySlot(definition.columns[column].value);
}

bool MirrorsValues(const IndexDefinition& definition) {
  bool reads = std::any_of(definition.columns.begin(), definition.columns.end(),
                           [](const ColumnRule& column) { return AnyPart(column.value, ReadsValue); });
  for (const Condition& condition : definition.when) {
    ForEachTest(condition,
                [&](const Test& test) { reads |= AnyPart(test.left, ReadsValue) || AnyPart(test.right, ReadsValue); });
  }
  return reads;
}

}  // namespace fensi::mapping
