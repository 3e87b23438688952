// The value that the bounds of a lookup are of, as a filter over all entries sees it.
#pragma once

#include <optional>
#include <string>

#include "tests/mapping/lookup_case.h"

namespace fensi::mapping {

/// A bounded part as the filter sees it: the value behind some steps.
struct BoundedValue {
  Part part;
  size_t typed_at = 0;
  size_t steps = 0;
  Type type = Type::kBytes;
};

/// Values from the first on, up to and without the second.
struct ValueSpan {
  std::optional<Value> from, to;

  bool Includes(const Value& value, Type type) const {
    if (type == Type::kBytes) return (!from || value.bytes >= from->bytes) && (!to || value.bytes < to->bytes);
    return (!from || value.number >= from->number) && (!to || value.number < to->number);
  }
};

/// What is bounded behind so many parts: of a period table the time that its tables are named after. Nothing: bounds
/// mean several things there, or instants mean nothing.
std::optional<BoundedValue> BoundedValueOf(const Case& one, size_t count, bool instants);
/// A value of a maker, or one beside it; often none. The scratch keeps the bytes.
std::optional<Value> ABound(const Case& one, const BoundedValue& bounded, Dice* dice, Scratch* scratch);
/// As a reader types it; empty: no bound.
std::string Written(const std::optional<Value>& value, const BoundedValue& bounded, bool instants);
/// Does some value inside give the same bytes, in one at least of the parts of row key and table that are made of it?
bool GivenInsideByAny(const Case& one, const Maker& maker, const BoundedValue& bounded, const ValueSpan& span);
/// Is the bounded value shown with `=`?
bool IsShownExactly(const Case& one, const Shelf::Owned& cell, const BoundedValue& bounded);

}  // namespace fensi::mapping
