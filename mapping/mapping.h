// A mapping file, loaded and checked.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/diagnostics.h"
#include "mapping/environment.h"
#include "mapping/index.h"
#include "mapping/test_case.h"

namespace fensi::mapping {

/// One file: one source table and its indexes, in the file's order.
struct Mapping {
  std::string path;
  std::string source_table;
  std::string topic;
  std::vector<std::shared_ptr<const Index>> indexes;
  std::vector<TestCase> tests;
};

/// Loads all files together: index names, state tables and groups are unique over all of them. Every problem of every
/// file is added to `diagnostics`, in file order; mappings with errors are left out of the answer.
/// `environment` brings what they refer to outside of themselves; without it named zones, `protos:` and `avros:` are
/// refused.
std::vector<Mapping> Load(const std::vector<MappingText>& files, Diagnostics* diagnostics,
                          const Environment& environment = {});

}  // namespace fensi::mapping
