// `given:` of a test: changes of the source, as people write them.
#pragma once

#include <optional>
#include <string>

#include "base/cell.h"
#include "mapping/outside.h"
#include "mapping/yaml/node.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// One item of `given`: { put: a, 'f1:from': b, ts: 1 } and the like.
std::optional<ChangeEvent> ReadGiven(const Node& node, const std::string& table, const Outside& outside,
                                     Reporter* reporter);

}  // namespace fensi::mapping
