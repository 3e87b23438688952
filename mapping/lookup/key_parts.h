// What a reader of an index gives, in order. Pure.
#pragma once

#include <string>
#include <vector>

#include "mapping/template/program.h"

namespace fensi::mapping {

/// A reference of the row key; or, where the key holds several pieces of one value and never the whole, one such piece:
/// what the first `steps` functions take out of it.
struct KeyPart {
  const Part* first = nullptr;  // of the row template, behind the salt
  size_t steps = 0;
  std::string name;  // "row", "f:doc | json city"

  /// Does a reader who gives this part decide that part of the template?
  bool Decides(const Part& part) const;
};

/// In order of first use, without those that only a salt is made of. Borrows the template.
std::vector<KeyPart> KeyParts(const Template& row);

}  // namespace fensi::mapping
