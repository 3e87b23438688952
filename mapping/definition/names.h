// Names that HBase and Kafka accept, and that no two indexes may share.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/hbase_limits.h"
#include "mapping/yaml/node.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

bool IsTopicName(std::string_view name);  // also of groups
bool IsIndexName(std::string_view name);  // good as a part of either
bool IsFamilyName(std::string_view name);

/// The allowed characters of the name under this key: source, table, state_table, topic, group or dead_letters.
std::vector<std::string> NameHints(std::string_view key);

enum class TableUse { kIndex, kState, kMeta };

/// Registers everything that belongs to one index alone, or to fensi itself, over all files of a daemon.
class NameRegistry {
 public:
  /// `meta_tables`: canonical names of fensi's own tables.
  explicit NameRegistry(const std::vector<std::string>& meta_tables = {});

  /// False, and reported: another index owns it already. `kind`: "index name", "group".
  bool Claim(std::string_view kind, const std::string& name, const std::string& owner, const Place& place,
             Reporter* reporter);
  /// Reports a table that `index` may not use in this way.
  void ClaimTable(const std::string& table, TableUse use, const std::string& index, const Place& place,
                  Reporter* reporter);
  /// Registers a source table. Many indexes may follow one, which may be the table of another index, too. Reports
  /// fensi's own tables: their changes are no user data.
  void UseSource(const std::string& table, const Place& place, Reporter* reporter);
  /// A topic has messages of one kind: "changes", "dead letters", "requests" or "a changelog". Reports a topic with
  /// another kind.
  void UseTopic(const std::string& topic, std::string_view kind, const Place& place, Reporter* reporter);

 private:
  struct TableOwner {
    TableUse use;
    std::string name;  // for people
  };

  std::map<std::string, std::string> owners_;
  std::map<std::string, TableOwner> tables_;
  std::set<std::string> sources_;
  std::map<std::string, std::string_view> topics_;
};

}  // namespace fensi::mapping
