// Checks whether a suspect of a recheck is a cell that the index may have. A request's suspects are removed, so they
// must not name other data.
//
// Pure; immutable. The index outlives it.
#pragma once

#include <string>

#include "base/status.h"
#include "consumer/change_source.h"
#include "mapping/index.h"

namespace fensi::indexer {

class RepairTargetValidator {
 public:
  explicit RepairTargetValidator(const mapping::Index* index);
  /// kInvalidArgument: the suspect must be left alone, and why.
  Status Check(const consumer::Suspect& suspect) const;
  /// False: no table of the index has this name.
  bool IsTable(const std::string& name) const;

 private:
  const mapping::Index* const index_;
};

}  // namespace fensi::indexer
