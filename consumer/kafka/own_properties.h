// Settings of librdkafka that fensi decides itself, because events could be lost, applied wrongly or never read with
// others.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace fensi::consumer {

/// Property -> what would happen if a person could set it.
const std::map<std::string_view, std::string_view>& OwnProperties();

/// A password or a key: nothing that others may see.
bool IsSecret(std::string_view name);

/// What is wrong with the value of a property that a person may set within limits; empty: nothing.
std::string FaultOfProperty(const std::string& name, const std::string& value, int64_t session_timeout_ms);

}  // namespace fensi::consumer
