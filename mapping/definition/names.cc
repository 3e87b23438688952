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

/// HBase's own tables. What is written there by anybody else can end the cluster.
bool IsOfHBase(std::string_view table) { return table.starts_with("hbase:"); }

/// Topics in which Kafka itself keeps offsets and transactions.
bool IsOfKafka(std::string_view topic) { return topic == "__consumer_offsets" || topic == "__transaction_state"; }

void ReportOfHBase(const std::string& table, const Place& place, Reporter* reporter) {
  reporter->Report(Code::kBadName, place, "the table '" + table + "' belongs to HBase itself",
                   {"name a table of another namespace: 'hbase' is not for tables of applications"});
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

std::vector<std::string> NameHints(std::string_view key) {
  if (key == "topic" || key == "group" || key == "dead_letters") {
    return {"use at most 249 letters, digits, '_', '-' and '.', and not '.' or '..' alone"};
  }
  return {
      "write TABLE or NAMESPACE:TABLE, of letters and digits of any language, '_', '-' and '.'; a table does not "
      "begin with '-' or '.'"};
}

namespace {

std::vector<std::string> OwnNameHints(std::string_view kind) {
  return {"give this index another " + std::string(kind) + ": names are unique over all files of a daemon",
          "if the files are alternatives of each other, check each file alone with 'fensi check --each'"};
}

}  // namespace

bool NameRegistry::Claim(std::string_view kind, const std::string& name, const std::string& owner, const Place& place,
                         Reporter* reporter) {
  const auto [found, fresh] = owners_.try_emplace(std::string(kind) + " " + name, owner);
  if (fresh) return true;
  reporter->Report(Code::kDuplicateName, place,
                   "the " + std::string(kind) + " '" + name + "' already belongs to " + found->second,
                   OwnNameHints(kind));
  return false;
}

NameRegistry::NameRegistry(const std::vector<std::string>& meta_tables) {
  for (const std::string& table : meta_tables) {
    tables_[table] = {TableUse::kMeta, "fensi itself, as the meta table"};
  }
}

void NameRegistry::ClaimTable(const std::string& table, TableUse use, const std::string& index, const Place& place,
                              Reporter* reporter) {
  if (IsOfHBase(table)) return ReportOfHBase(table, place, reporter);
  const std::string whose = (use == TableUse::kState ? "the row states of index '" : "index '") + index + "'";
  const auto [found, fresh] = tables_.try_emplace(table, TableOwner{use, whose});
  const bool meta = !fresh && found->second.use == TableUse::kMeta;
  if (!fresh) {
    reporter->Report(Code::kDuplicateName, place, "the table '" + table + "' already belongs to " + found->second.name,
                     meta ? std::vector<std::string>{"give the index another table: no index may have the meta table, "
                                                     "which --meta_table names"}
                          : OwnNameHints("table"));
  } else if (use == TableUse::kState && sources_.contains(table)) {
    reporter->Report(Code::kDuplicateName, place, "the table '" + table + "' is the source of another index",
                     {"name another state table with 'state_table:', because only fensi may write row states"});
  }
}

void NameRegistry::UseSource(const std::string& table, const Place& place, Reporter* reporter) {
  if (table.empty()) return;  // reported already
  if (IsOfHBase(table)) return ReportOfHBase(table, place, reporter);
  sources_.insert(table);
  const auto found = tables_.find(table);
  if (found == tables_.end() || found->second.use == TableUse::kIndex) return;
  reporter->Report(Code::kDuplicateName, place,
                   "the source table '" + table + "' already belongs to " + found->second.name,
                   {"name a table that your applications write, or the table of another index"});
}

void NameRegistry::UseTopic(const std::string& topic, std::string_view kind, const Place& place, Reporter* reporter) {
  if (IsOfKafka(topic)) {
    return reporter->Report(
        Code::kBadName, place, "the topic '" + topic + "' belongs to Kafka itself",
        {kind == "dead letters" ? "name another topic with 'dead_letters:'" : "name another topic with 'topic:'"});
  }
  const auto [found, fresh] = topics_.try_emplace(topic, kind);
  if (fresh || found->second == kind) return;
  reporter->Report(
      Code::kDuplicateName, place,
      "the topic '" + topic + "' holds " + std::string(found->second) + " and would hold " + std::string(kind) +
          ", too",
      {"name another topic. Changes, dead letters, requests and changelogs each need a topic of their own, and the "
       "topic of requests is always INDEX.requests"});
}

}  // namespace fensi::mapping
