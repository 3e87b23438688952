// What may not change in messages that one version writes and another reads (docs/versions.md). Pure functions.
#pragma once

#include <google/protobuf/descriptor.pb.h>

#include <string>
#include <vector>

namespace fensi::testing {

/// What a program of the one description would misread in messages of the other, a sentence for each.
std::vector<std::string> WireBreaks(const google::protobuf::FileDescriptorSet& before,
                                    const google::protobuf::FileDescriptorSet& now);

}  // namespace fensi::testing
