// What the reading of one file knows of the world outside of it.
#pragma once

#include <memory>

#include "mapping/environment.h"

namespace fensi::mapping {

class ProtoSchemas;
class RegexBudget;

/// Cheap to copy; borrows the environment while files are loaded.
struct Outside {
  const Environment* environment = nullptr;
  std::shared_ptr<const ProtoSchemas> schemas;  // null: the file has no `protos:`
  std::shared_ptr<RegexBudget> regexes;         // null: unbounded
};

}  // namespace fensi::mapping
