#include "mapping/definition/names.h"

#include <algorithm>

namespace fensi::mapping {
namespace {

bool WordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// HBase's TableName.isLegalTableQualifierName.
bool Qualifier(std::string_view name) {
  if (name.empty() || !WordCharacter(name[0])) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return WordCharacter(c) || c == '-' || c == '.'; });
}

}  // namespace

bool IsTopicName(std::string_view name) {
  const auto legal = [](char c) { return WordCharacter(c) || c == '-' || c == '.'; };
  return !name.empty() && name.size() <= 249 && name != "." && name != ".." &&
         std::all_of(name.begin(), name.end(), legal);
}

bool IsIndexName(std::string_view name) { return Qualifier(name) && name.size() <= 100; }

// HBase's ColumnFamilyDescriptorBuilder.isLegalColumnFamilyName, and no control characters.
bool IsFamilyName(std::string_view name) {
  if (name.empty() || name[0] == '.' || name == "recovered.edits") return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return c > ' ' && c != ':' && c != '/' && c != '\\' && c != 127; });
}

bool NameRegistry::Claim(std::string_view kind, const std::string& name, const std::string& owner, const Place& place,
                         Reporter* reporter) {
  const auto [found, fresh] = owners_.try_emplace(std::string(kind) + " " + name, owner);
  if (fresh) return true;
  reporter->Report(Code::kDuplicateName, place,
                   "the " + std::string(kind) + " '" + name + "' already belongs to " + found->second,
                   {"every index has its own; names are unique over all files of a daemon",
                    "'fensi check --each' checks files by themselves that are alternatives of each other"});
  return false;
}

void NameRegistry::UseTopic(const std::string& topic, std::string_view kind, const Place& place, Reporter* reporter) {
  const auto [found, fresh] = topics_.try_emplace(topic, kind);
  if (fresh || found->second == kind) return;
  reporter->Report(Code::kDuplicateName, place,
                   "the topic '" + topic + "' holds " + std::string(found->second) + " and would hold " +
                       std::string(kind) + ", too",
                   {"the changes of a source, the dead letters and the requests of an index (INDEX.requests) stand in "
                    "topics of their own"});
}

}  // namespace fensi::mapping
