// A file of librdkafka's settings, one KEY=VALUE a line: the place for passwords. Blocks on the file system only.
#pragma once

#include <map>
#include <string>

#include "base/status.h"

namespace fensi::cli {

/// kConfiguration: it holds a secret and others may read it, or a line is no setting; all of them are named by their
/// numbers, never by what they say. A secret that is told where to find is none: it stays "@/PATH".
Result<std::map<std::string, std::string>> ReadPropertyFile(const std::string& path);

}  // namespace fensi::cli
