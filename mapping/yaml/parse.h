// Text to nodes, strictly: what YAML allows and a mapping must not have is refused here.
#pragma once

#include <optional>

#include "mapping/yaml/node.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

// Checks a mapping file before it is parsed: UTF-8 text of bounded size without tabs or control characters.

/// False when something was reported.
bool CheckText(Reporter* reporter);

// Text to nodes, strictly: what YAML allows and a mapping must not have is refused here.

constexpr int kMaxDepth = 12;

/// The document of the reporter's file. Nothing when the text cannot be read as one; duplicate keys, anchors and tags
/// are reported and reading goes on.
std::optional<Node> ParseYaml(Reporter* reporter);

}  // namespace fensi::mapping
