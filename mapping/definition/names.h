// Names that HBase and Kafka accept, and that no two indexes share.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/table_name.h"
#include "mapping/yaml/node.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

bool IsTopicName(std::string_view name);  // also of groups
bool IsIndexName(std::string_view name);  // good as a part of either
bool IsFamilyName(std::string_view name);

/// Everything that belongs to one index alone, over all files of a daemon.
class NameRegistry {
 public:
  /// False, and reported: another index owns it already. `kind`: "table", "group", ….
  bool Claim(std::string_view kind, const std::string& name, const std::string& owner, const Place& place,
             Reporter* reporter);
  /// A topic holds messages of one kind: "changes", "dead letters" or "requests". Reports when it holds others already.
  void UseTopic(const std::string& topic, std::string_view kind, const Place& place, Reporter* reporter);

 private:
  std::map<std::string, std::string> owners_;
  std::map<std::string, std::string_view> topics_;
};

}  // namespace fensi::mapping
