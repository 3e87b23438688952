#include "operations/access/secrets.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "consumer/kafka/client/client_config.h"

namespace fensi::operations {
namespace {

std::string NameOf(const std::string& pair) { return pair.substr(0, pair.find('=')); }

bool HoldsSecret(const std::string& pair) {
  const std::string name = NameOf(pair);
  // Behind a comma that belongs to the value, perhaps against the will of who wrote it, another pair may stand.
  const size_t comma = pair.find(',');
  if (comma != std::string::npos && HoldsSecret(pair.substr(comma + 1))) return true;
  if (!consumer::IsSecret(name)) return false;
  return name.size() == pair.size() || !IsSecretReference(std::string_view(pair).substr(name.size() + 1));
}

/// Also what nobody knows: the name may be that of a secret, misspelt.
bool MayHoldSecret(const std::string& pair) { return HoldsSecret(pair) || !consumer::IsProperty(NameOf(pair)); }

/// As SplitList reads it.
std::string WithCommasEscaped(const std::string& pair) {
  std::string escaped;
  for (const char c : pair) escaped += c == ',' ? std::string("\\,") : std::string(1, c);
  return escaped;
}

}  // namespace

bool IsSecretReference(std::string_view value) { return value.starts_with("@/") || value.starts_with("@credential:"); }

std::string ReferencesOf(const std::string& property) {
  return property + "=@/PATH or " + property + "=@credential:NAME";
}

std::string LiteralSecret(const std::string& properties) {
  for (const std::string& pair : SplitList(properties)) {
    if (HoldsSecret(pair)) return NameOf(pair);
  }
  return "";
}

std::string WithoutSecrets(const std::string& properties) {
  const std::vector<std::string> pairs = SplitList(properties);
  if (std::none_of(pairs.begin(), pairs.end(), MayHoldSecret)) return properties;
  std::string shown;
  for (const std::string& pair : pairs) {
    shown += shown.empty() ? "" : ",";
    shown += MayHoldSecret(pair) ? NameOf(pair) + "=" + kHidden : WithCommasEscaped(pair);
  }
  return shown;
}

bool NamesUser(std::string_view place) {
  constexpr std::string_view kPaths[] = {"embedded:", "file:", "unix:"};
  const bool is_path = std::any_of(std::begin(kPaths), std::end(kPaths),
                                   [place](std::string_view scheme) { return place.starts_with(scheme); });
  return !is_path && place.find('@') != std::string_view::npos;
}

}  // namespace fensi::operations
