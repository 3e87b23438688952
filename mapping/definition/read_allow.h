// `allow:` of an index: warnings that are wanted.
#pragma once

#include <set>
#include <string>

#include "mapping/yaml/node.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// Null: none. Codes that are no warnings are reported.
std::set<std::string> ReadAllow(const Node* node, Reporter* reporter);

}  // namespace fensi::mapping
