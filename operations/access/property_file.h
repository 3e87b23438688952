// Reads a file of librdkafka's settings, one KEY=VALUE a line: the place for passwords. Blocks on the file system only.
#pragma once

#include <map>
#include <string>

#include "base/status.h"

namespace fensi::operations {

/// kConfiguration: it holds a secret and others may read it, or a line is no setting; the error names lines by number,
/// never their content. A reference to a secret is no secret: it stays "@/PATH".
Result<std::map<std::string, std::string>> ReadPropertyFile(const std::string& path);

}  // namespace fensi::operations
