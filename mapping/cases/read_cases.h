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

/// What the tests of a file may name.
struct CaseNames {
  const std::string& source_table;
  const std::vector<std::shared_ptr<const Index>>& indexes;
  const Node* declared = nullptr;  // `indexes:` as written: of one that is wrong its tests say nothing more
};

std::vector<TestCase> ReadCases(const Node& node, const CaseNames& names, const Outside& outside, Reporter* reporter);

}  // namespace fensi::mapping
