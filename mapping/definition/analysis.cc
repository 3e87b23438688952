#include "mapping/definition/analysis.h"

#include <algorithm>
#include <set>

namespace fensi::mapping {
namespace {

bool Excludes(const Shape& shape, char c) {
  if (shape.without.find(c) != std::string::npos) return true;
  const bool digit = (c >= '0' && c <= '9') || c == '-';
  const bool hex = digit || (c >= 'a' && c <= 'f');
  if (shape.alphabet == Shape::Alphabet::kDigits) return !digit;
  return shape.alphabet == Shape::Alphabet::kHex && !hex;
}

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

int BitsIn(const Template& program, Origin origin) {
  if (!IsDecodable(program)) return 0;
  int bits = 0;
  for (const Part& part : program.parts) {
    if (part.IsLiteral() || !IsFrom(*part.reference, origin)) continue;
    bits = std::max(bits, part.shape.injective ? kExactly : part.shape.hash_bits);
  }
  return bits;
}

void AddUse(const Template& program, KeyUse* use) {
  for (const Part& part : program.parts) {
    if (part.IsLiteral()) continue;
    const Reference& reference = *part.reference;
    const bool value = reference.kind == Reference::Kind::kBoundValue || reference.kind == Reference::Kind::kBoundTime;
    use->columns = use->columns || reference.IsColumn();
    use->bound_value = use->bound_value || value;
    use->bound_name = use->bound_name || (reference.IsBound() && !value);
    use->item = use->item || reference.kind == Reference::Kind::kItem;
    const bool from_cell = reference.IsColumn() || value || reference.kind == Reference::Kind::kItem;
    if (from_cell && !part.shape.total) use->total = false;
  }
}

// Columns that values need; the one under `exists:` with them.
std::set<size_t> ColumnsOfValues(const IndexDefinition& definition) {
  std::set<size_t> slots;
  if (definition.exists) slots.insert(*definition.exists);
  for (const ColumnRule& column : definition.columns) {
    for (const Part& part : column.value.parts) {
      if (!part.IsLiteral() && part.reference->IsColumn()) slots.insert(part.reference->slot);
    }
  }
  return slots;
}

bool HasDefault(const IndexDefinition& definition) {
  return std::any_of(definition.columns.begin(), definition.columns.end(), [](const ColumnRule& column) {
    return std::any_of(column.value.parts.begin(), column.value.parts.end(), [](const Part& p) { return p.defaulted; });
  });
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
  return Excludes(part.shape, program.parts[i + 1].literal[0]);
}

bool IsDecodable(const Template& program) {
  size_t open = 0;
  for (size_t i = 0; i < program.parts.size(); ++i) open += EndsItself(program, i) ? 0 : 1;
  return open <= 1;
}

int KnownBits(const IndexDefinition& definition, Origin origin) {
  const int in_row = BitsIn(definition.row, origin);
  int least = kExactly;
  for (const ColumnRule& column : definition.columns) {
    least = std::min(least, std::max(in_row, BitsIn(column.qualifier, origin)));
  }
  return least;
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

IndexClass Classify(const IndexDefinition& definition) {
  const KeyUse keys = UseInKeys(definition);
  const KeyUse values = UseInValues(definition);
  // With several writers of a cell, or a removal by TTL of its own, the timestamps of source cells are not enough.
  const bool mirror = !keys.columns && !keys.bound_value && !keys.item && values.total && !definition.shared;
  if (!mirror) return IndexClass::kValueDerived;
  if (definition.each.fanout == Fanout::kNone) {
    const bool one = ColumnsOfValues(definition).size() == 1 && !HasDefault(definition);
    return one ? IndexClass::kRowDerived : IndexClass::kValueDerived;
  }
  const bool own = definition.each.fanout == Fanout::kColumns && !values.columns && !definition.exists;
  return own && BoundColumnsApart(definition) ? IndexClass::kQualifierDerived : IndexClass::kValueDerived;
}

StateUnit UnitOf(const IndexDefinition& definition) {
  const KeyUse keys = UseInKeys(definition);
  const KeyUse values = UseInValues(definition);
  const bool alone = definition.each.fanout == Fanout::kColumns && !keys.columns && !values.columns &&
                     !definition.exists && BoundColumnsApart(definition);
  return alone ? StateUnit::kColumn : StateUnit::kRow;
}

}  // namespace fensi::mapping
