// `tests:` of a mapping file. Pure; everything wrong is reported.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mapping/index.h"
#include "mapping/outside.h"
#include "mapping/test_case.h"
#include "mapping/yaml/node.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// `indexes`: those of the file.
std::vector<TestCase> ReadCases(const Node& node, const std::string& source_table,
                                const std::vector<std::shared_ptr<const Index>>& indexes, const Outside& outside,
                                Reporter* reporter);

}  // namespace fensi::mapping
