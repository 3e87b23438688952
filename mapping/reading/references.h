// What a reader of an index gives, in order.
#pragma once

#include <vector>

#include "mapping/template/program.h"

namespace fensi::mapping {

/// The references of the row template behind the salt, in order of first use.
std::vector<const Reference*> ReaderReferences(const Template& row);

}  // namespace fensi::mapping
