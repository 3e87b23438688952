#include "store/embedded/catalog.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "base/format_version.h"
#include "base/hbase_limits.h"
#include "store/check.h"
#include "store/embedded/open_database.h"

namespace fensi::store {
namespace {

using Json = nlohmann::json;

/// Key of the entry that keeps the next free number; no table name is empty.
const std::string kNextNumberKey(1, kTableEntry);
const std::string kFormatKey(1, kFormatEntry);

Json ToJson(const FamilyDescriptor& family) {
  Json json = {{"name", family.name},
               {"max_versions", family.max_versions},
               {"bloom_filter", family.bloom_filter},
               {"compression", family.compression},
               {"in_memory", family.in_memory},
               {"block_cache", family.block_cache},
               {"replication_scope", family.replication_scope},
               {"configuration", family.configuration}};
  if (family.min_versions) json["min_versions"] = *family.min_versions;
  if (family.ttl_seconds) json["ttl_seconds"] = *family.ttl_seconds;
  if (family.block_size) json["block_size"] = *family.block_size;
  return json;
}

std::optional<int32_t> OptionalNumber(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) return std::nullopt;
  return found->get<int32_t>();
}

FamilyDescriptor FamilyFromJson(const Json& json) {
  FamilyDescriptor family;
  family.name = json.value("name", "");
  family.max_versions = json.value("max_versions", 1);
  family.min_versions = OptionalNumber(json, "min_versions");
  family.ttl_seconds = OptionalNumber(json, "ttl_seconds");
  family.bloom_filter = json.value("bloom_filter", "ROW");
  family.compression = json.value("compression", "NONE");
  family.in_memory = json.value("in_memory", false);
  family.block_cache = json.value("block_cache", true);
  family.block_size = OptionalNumber(json, "block_size");
  family.replication_scope = json.value("replication_scope", 0);
  family.configuration = json.value("configuration", std::map<std::string, std::string>());
  return family;
}

std::string Serialize(const EmbeddedTable& table) {
  Json json = {{"number", table.number}, {"families", Json::array()}, {"split_keys", Json::array()}};
  for (const FamilyDescriptor& family : table.description.families) json["families"].push_back(ToJson(family));
  for (const std::string& key : table.split_keys) json["split_keys"].push_back(EscapeAscii(key));
  return json.dump();
}

/// Fills what follows from description and number.
std::shared_ptr<const EmbeddedTable> Complete(EmbeddedTable table) {
  table.prefix = TablePrefix(table.number);
  for (const FamilyDescriptor& family : table.description.families) table.rules[family.name] = RulesOf(family);
  return std::make_shared<const EmbeddedTable>(std::move(table));
}

Result<std::shared_ptr<const EmbeddedTable>> TableOf(const std::string& name, const Json& json) {
  EmbeddedTable table;
  table.description.name = name;
  table.number = json.at("number").get<uint32_t>();
  for (const Json& family : json.at("families")) table.description.families.push_back(FamilyFromJson(family));
  for (const Json& key : json.value("split_keys", Json::array())) {
    FENSI_ASSIGN_OR_RETURN(std::string bytes, Unescape(key.get<std::string>()));
    table.split_keys.push_back(std::move(bytes));
  }
  return Complete(std::move(table));
}

Result<std::shared_ptr<const EmbeddedTable>> Parse(const std::string& directory, const std::string& name,
                                                   std::string_view text) {
  try {
    return TableOf(name, Json::parse(text));
  } catch (const Json::exception& fault) {
    return Status(StatusCode::kInternal, "embedded store " + directory + ": the entry of table " + name +
                                             " is damaged (" + fault.what() + ")" + kRestoreStore);
  }
}

}  // namespace

/// A database without the entry has no table yet, or is of the first format, which did not say so.
Status Catalog::CheckStoreFormat() const {
  std::string found;
  const rocksdb::Status status = database_->rocks()->Get({}, kFormatKey, &found);
  if (status.IsNotFound()) return Status();
  FENSI_RETURN_IF_ERROR(FromRocksDb(status, "reading the format"));
  if (found.size() != sizeof(int64_t))
    return Status(StatusCode::kInternal, "embedded store " + database_->rocks()->GetName() +
                                             ": the entry of the format is damaged" + kRestoreStore);
  return CheckFormat("the embedded store in " + database_->rocks()->GetName(), ReadBigEndian64(found), kStoreFormat,
                     "build its indexes again in another directory");
}

Status Catalog::Load() {
  FENSI_RETURN_IF_ERROR(CheckStoreFormat());
  const MutexLock lock(mu_);
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  const std::unique_ptr<rocksdb::Iterator> entry(database_->rocks()->NewIterator(options));
  for (entry->Seek(kNextNumberKey); entry->Valid() && entry->key()[0] == kTableEntry; entry->Next()) {
    const std::string name = entry->key().ToString().substr(1);
    if (name.empty()) {
      next_number_ = static_cast<uint32_t>(ReadBigEndian64(entry->value().ToStringView()));
      continue;
    }
    FENSI_ASSIGN_OR_RETURN(std::shared_ptr<const EmbeddedTable> table,
                           Parse(database_->rocks()->GetName(), name, entry->value().ToStringView()));
    tables_[name] = std::move(table);
  }
  return FromRocksDb(entry->status(), "reading the tables");
}

Result<std::shared_ptr<const EmbeddedTable>> Catalog::Find(const std::string& name) const {
  const MutexLock lock(mu_);
  const auto found = tables_.find(std::string(CanonicalTableName(name)));
  if (found == tables_.end()) return NoSuchTable(name);
  return found->second;
}

std::vector<std::string> Catalog::Names() const {
  const MutexLock lock(mu_);
  std::vector<std::string> names;
  for (const auto& [name, table] : tables_) names.push_back(name);
  return names;
}

Status Catalog::Create(const TableDescriptor& description, std::vector<std::string> split_keys) {
  FENSI_RETURN_IF_ERROR(CheckTable(description, split_keys));
  const MutexLock lock(mu_);
  TableDescriptor normalized = Normalized(description);
  normalized.name = CanonicalTableName(description.name);
  const std::string name = normalized.name;
  if (tables_.contains(name)) return Status(StatusCode::kAlreadyExists, "table " + name + " exists already");
  std::sort(split_keys.begin(), split_keys.end());
  const auto table = Complete({std::move(normalized), std::move(split_keys), next_number_, "", {}});
  std::string next, format;
  AppendBigEndian64(int64_t{next_number_} + 1, &next);
  AppendBigEndian64(kStoreFormat, &format);
  rocksdb::WriteBatch batch;
  if (next_number_ == 1) batch.Put(kFormatKey, format);
  batch.Put(kNextNumberKey, next);
  batch.Put(kNextNumberKey + name, Serialize(*table));
  FENSI_RETURN_IF_ERROR(database_->Write(&batch, "creating table " + name));
  ++next_number_;
  tables_[name] = table;
  return Status();
}

Status Catalog::Drop(const std::string& asked) {
  const std::string name(CanonicalTableName(asked));
  const MutexLock lock(mu_);
  const auto found = tables_.find(name);
  if (found == tables_.end()) return NoSuchTable(name);
  const std::string& prefix = found->second->prefix;
  rocksdb::WriteBatch batch;
  batch.Delete(kNextNumberKey + name);
  batch.DeleteRange(prefix, PrefixEnd(prefix));
  FENSI_RETURN_IF_ERROR(database_->Write(&batch, "dropping table " + name));
  tables_.erase(found);
  return Status();
}

}  // namespace fensi::store
