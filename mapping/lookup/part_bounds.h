// Bounds of one part of the row key: what of its bytes lies between them. Pure.
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
  /// kInvalidArgument: a bound that the part cannot hold.
  static Result<PartBounds> Make(const Part& part, Bounds bounds);

  /// Can they be told from the part's bytes at all?
  bool Tell() const { return exact_ || intervals_; }
  /// Can the very value be told from them?
  bool TellExactly() const { return exact_; }
  /// The part's bytes between the bounds. Nothing: its order is not that of the values, so any may be.
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
