// Whether a suspect of a recheck is a cell that the index may have: what a request names is removed, so it must not
// name the cells of anybody else.
//
// Pure; immutable. The index outlives it.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "consumer/change_source.h"
#include "mapping/index.h"

namespace fensi::indexer {

class SuspectCheck {
 public:
  explicit SuspectCheck(const mapping::Index* index);
  /// kInvalidArgument says why it is left alone.
  Status Check(const consumer::Suspect& suspect) const;

 private:
  bool IsTable(const std::string& name) const;

  const mapping::Index* const index_;
};

}  // namespace fensi::indexer
