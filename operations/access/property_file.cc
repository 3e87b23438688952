#include "operations/access/property_file.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "consumer/kafka/client/client_config.h"
#include "operations/access/secret_file.h"
#include "operations/access/secrets.h"

namespace fensi::operations {
namespace {

using Properties = std::map<std::string, std::string>;

constexpr std::string_view kBlanks = " \t\r";

/// The error in a line that is neither empty nor a comment; empty: the line was taken.
std::string TakeLine(std::string_view line, Properties* properties) {
  const size_t equals = line.find('=');
  const std::string key(Trimmed(line.substr(0, equals), kBlanks));
  if (equals == std::string_view::npos || key.empty()) return "is not KEY=VALUE, such as acks=all";
  if (line.find('\0') != std::string::npos) return "has a zero byte";
  const bool first = properties->emplace(key, Trimmed(line.substr(equals + 1), kBlanks)).second;
  return first ? "" : "sets " + key + " a second time: remove one of the lines";
}

Result<Properties> Parse(const std::string& path, std::string_view text) {
  Properties properties;
  std::string faults;
  size_t number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = Trimmed(text.substr(at, end - at), kBlanks);
    at = end + 1;
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::string fault = TakeLine(line, &properties);
    if (fault.empty()) continue;
    faults += (faults.empty() ? "" : "; ") + path + ":" + std::to_string(number) + " " + fault;
  }
  if (!faults.empty()) return Status(StatusCode::kConfiguration, faults);
  return properties;
}

}  // namespace

Result<Properties> ReadPropertyFile(const std::string& path) {
  FENSI_ASSIGN_OR_RETURN(const SettingsFile file, ReadSettingsFile(path));
  Result<Properties> properties = Parse(path, file.text);
  if (!properties.ok()) return properties;
  for (const auto& [name, value] : *properties) {
    if (consumer::IsSecret(name) && !IsSecretReference(value)) FENSI_RETURN_IF_ERROR(file.secrecy);
  }
  return properties;
}

}  // namespace fensi::operations
