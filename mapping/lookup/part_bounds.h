// Bounds of one part of the row key: which of its bytes are between them. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "mapping/lookup/bounds.h"
#include "mapping/lookup/inverse.h"
#include "mapping/lookup/order.h"

namespace fensi::mapping {

class PartBounds {
 public:
  /// kInvalidArgument: a bound that the part cannot have.
  static Result<PartBounds> Make(const Part& part, Bounds bounds);

  /// True if the part's bytes say anything about the bounds.
  bool Tell() const { return exact_ || intervals_; }
  /// True if the exact value can be read from them.
  bool TellExactly() const { return exact_; }
  /// True if bytes between the bounds may be those of a value outside: of one that is longer than its padding, or that
  /// stands in for an absent one.
  bool HoldOthers() const;
  /// The part's bytes between the bounds. Absent: its order is not that of the values, so any may be.
  const std::optional<std::vector<Interval>>& intervals() const { return intervals_; }

  /// kUnsure: some of the values that give these bytes are inside.
  Placement Judge(std::string_view bytes) const;
  const Bounds& bounds() const { return bounds_; }

 private:
  PartBounds(const Part& part, Bounds bounds);
  Placement JudgeEnd(std::string_view bytes, const Bound& bound, bool is_from) const;

  const Part* part_;
  Bounds bounds_;
  bool exact_;
  std::optional<std::vector<Interval>> intervals_;
};

}  // namespace fensi::mapping
