// `create:` of an index.
#pragma once

#include <set>
#include <string>

#include "mapping/create_spec.h"
#include "mapping/yaml/node.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// `node` may be null (no `create:`); `written` are the families of the columns, each with the place that names it.
CreateSpec ReadCreate(const Node* node, const std::vector<std::pair<std::string, Place>>& written, Reporter* reporter);

}  // namespace fensi::mapping
