#include "mapping/definition/analysis.h"

#include <algorithm>
#include <vector>

#include "mapping/definition/checks.h"

namespace fensi::mapping {
namespace {

bool IsFrom(const Reference& reference, Origin origin) {
  switch (origin) {
    case Origin::kRow:
      return reference.kind == Reference::Kind::kRow;
    case Origin::kBoundFamily:
      return reference.kind == Reference::Kind::kBoundFamily;
    case Origin::kBoundQualifier:
      return reference.kind == Reference::Kind::kBoundQualifier;
    case Origin::kItem:
      return reference.kind == Reference::Kind::kItem;
  }
  return false;
}

int BitsOfPart(const Part& part, Origin origin) {
  if (part.IsLiteral() || !IsFrom(*part.reference, origin)) return 0;
  return part.shape.injective ? kExactly : part.shape.hash_bits;
}

int BitsIn(const Template& program, Origin origin) {
  int bits = 0;
  for (size_t i = 0; i < program.parts.size(); ++i) {
    if (IsReadable(program, i)) bits = std::max(bits, BitsOfPart(program.parts[i], origin));
  }
  return bits;
}

// The same part, which ends at the same place in both.
bool SamePart(const Template& a, const Template& b, size_t i) {
  if (i >= a.parts.size() || i >= b.parts.size() || a.parts[i].text != b.parts[i].text) return false;
  const Shape& shape = a.parts[i].shape;
  if (shape.fixed() || shape.terminated) return true;
  if (i + 1 == a.parts.size() && i + 1 == b.parts.size()) return true;
  if (!EndsItself(a, i) || !EndsItself(b, i)) return false;
  return a.parts[i + 1].literal[0] == b.parts[i + 1].literal[0];
}

// Bits of the origin that a cell shows, whichever of the two made it.
int BitsInEither(const Template& a, const Template& b, Origin origin) {
  int bits = 0;
  for (size_t i = 0; SamePart(a, b, i); ++i) bits = std::max(bits, BitsOfPart(a.parts[i], origin));
  return bits;
}

int BitsInPairs(const std::vector<ColumnRule>& columns, Origin origin) {
  if (columns.size() > kMostComparedColumns) return 0;
  const ColumnOutlines outlines(columns);
  int least = kExactly;
  for (size_t i = 0; i < columns.size(); ++i) {
    for (size_t k = i + 1; k < columns.size() && least > 0; ++k) {
      const int bits = BitsInEither(columns[i].qualifier, columns[k].qualifier, origin);
      if (bits < least && !outlines.NeverMeet(i, k)) least = bits;
    }
  }
  return least;
}

void AddUse(const Template& program, KeyUse* use) {
  for (const Part& part : program.parts) {
    ForEachReference(part, [use](const Reference& reference) {
      const bool value =
          reference.kind == Reference::Kind::kBoundValue || reference.kind == Reference::Kind::kBoundTime;
      use->columns = use->columns || reference.IsColumn();
      use->bound_value = use->bound_value || value;
      use->bound_name = use->bound_name || (reference.IsBound() && !value);
      use->item = use->item || reference.kind == Reference::Kind::kItem;
    });
  }
}

bool ManyFamilies(const Each& each) {
  return std::any_of(each.columns.begin(), each.columns.end(),
                     [&](const Watch& watch) { return watch.family != each.columns[0].family; });
}

// Two bound columns of one row never give the same index cell.
bool BoundColumnsApart(const IndexDefinition& definition) {
  return KnownBits(definition, Origin::kBoundQualifier) == kExactly &&
         (!ManyFamilies(definition.each) || KnownBits(definition, Origin::kBoundFamily) == kExactly);
}

}  // namespace

bool EndsItself(const Template& program, size_t i) {
  const Part& part = program.parts[i];
  if (part.IsLiteral() || part.shape.fixed() || part.shape.terminated) return true;
  if (i + 1 >= program.parts.size() || !program.parts[i + 1].IsLiteral()) return false;
  return !part.shape.bytes[static_cast<unsigned char>(program.parts[i + 1].literal[0])];
}

bool IsReadable(const Template& program, size_t i) {
  bool front = true;
  for (size_t k = 0; k < i; ++k) front = front && EndsItself(program, k);
  bool back = true;
  for (size_t k = i + 1; k < program.parts.size(); ++k) back = back && program.parts[k].shape.fixed();
  return (front && (back || EndsItself(program, i))) || (back && program.parts[i].shape.fixed());
}

bool IsDecodable(const Template& program) {
  for (size_t i = 0; i < program.parts.size(); ++i) {
    if (!IsReadable(program, i)) return false;
  }
  return true;
}

std::optional<std::pair<const ColumnRule*, const ColumnRule*>> ColumnsThatMeet(const IndexDefinition& definition,
                                                                               Origin origin) {
  const std::vector<ColumnRule>& columns = definition.columns;
  const auto unknown = [origin](const ColumnRule& column) { return BitsIn(column.qualifier, origin) == 0; };
  if (columns.size() > kMostComparedColumns || std::any_of(columns.begin(), columns.end(), unknown))
    return std::nullopt;
  const ColumnOutlines outlines(columns);
  for (size_t i = 0; i < columns.size(); ++i) {
    for (size_t k = i + 1; k < columns.size(); ++k) {
      const bool apart =
          BitsInEither(columns[i].qualifier, columns[k].qualifier, origin) > 0 || outlines.NeverMeet(i, k);
      if (!apart) return std::pair(&columns[i], &columns[k]);
    }
  }
  return std::nullopt;
}

int KnownBits(const IndexDefinition& definition, Origin origin) {
  const int in_row = BitsIn(definition.row, origin);
  int in_qualifiers = kExactly;
  for (const ColumnRule& column : definition.columns) {
    in_qualifiers = std::min(in_qualifiers, BitsIn(column.qualifier, origin));
  }
  if (in_row < in_qualifiers) in_qualifiers = std::min(in_qualifiers, BitsInPairs(definition.columns, origin));
  return std::max(in_row, in_qualifiers);
}

bool BoundColumnsMeet(const IndexDefinition& definition) {
  if (definition.each.fanout != Fanout::kColumns) return false;
  return KnownBits(definition, Origin::kBoundQualifier) < kEnoughBits ||
         (ManyFamilies(definition.each) && KnownBits(definition, Origin::kBoundFamily) < kEnoughBits);
}

bool BoundColumnsCompete(const IndexDefinition& definition) {
  const bool constant = std::all_of(definition.columns.begin(), definition.columns.end(),
                                    [](const ColumnRule& column) { return column.value.IsConstant(); });
  return !constant && BoundColumnsMeet(definition);
}

KeyUse UseInKeys(const IndexDefinition& definition) {
  KeyUse use;
  AddUse(definition.row, &use);
  if (definition.table_template) AddUse(*definition.table_template, &use);
  for (const Condition& condition : definition.when) {
    ForEachTest(condition, [&use](const Test& test) {
      AddUse(test.left, &use);
      AddUse(test.right, &use);
    });
  }
  for (const ColumnRule& column : definition.columns) AddUse(column.qualifier, &use);
  return use;
}

KeyUse UseInValues(const IndexDefinition& definition) {
  KeyUse use;
  for (const ColumnRule& column : definition.columns) AddUse(column.value, &use);
  return use;
}

StateScope ScopeOf(const IndexDefinition& definition) {
  const KeyUse keys = UseInKeys(definition);
  const KeyUse values = UseInValues(definition);
  const bool alone = definition.each.fanout == Fanout::kColumns && !keys.columns && !values.columns &&
                     !definition.exists && BoundColumnsApart(definition);
  return alone ? StateScope::kColumn : StateScope::kRow;
}

}  // namespace fensi::mapping
