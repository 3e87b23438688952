#include "store/hbase/calls/table_admin.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "THBaseService.h"
#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "store/check.h"
#include "store/hbase/messages/conversions.h"

namespace fensi::store {
namespace {

/// HBase names a region by the MD5 of "TABLE,START,ID", in hexadecimal digits. Empty: this machine has no MD5.
std::string EncodedRegionName(const std::string& table, const std::string& start, int64_t id) {
  constexpr char kDigits[] = "0123456789abcdef";
  const std::string name = table + "," + start + "," + std::to_string(id);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(name.data(), name.size(), digest.data(), &size, EVP_md5(), nullptr) != 1) return "";
  std::string encoded;
  for (unsigned int i = 0; i < size; ++i) encoded += {kDigits[digest[i] >> 4], kDigits[digest[i] & 15]};
  return encoded;
}

Result<bool> Exists(Connection& connection, const std::string& table) {
  bool exists = false;
  FENSI_RETURN_IF_ERROR(
      connection.Call("asking whether table " + table + " exists",
                      [&](thrift2::THBaseServiceClient& client) { exists = client.tableExists(ToTableName(table)); }));
  return exists;
}

Status CreateNamespace(Connection& connection, const std::string& name) {
  const Status created = connection.Call("creation of namespace " + name, [&](thrift2::THBaseServiceClient& client) {
    thrift2::TNamespaceDescriptor description;
    description.name = name;
    client.createNamespace(description);
  });
  return created.code() == StatusCode::kAlreadyExists ? Status() : created;
}

Status CreateOn(Connection& connection, const TableDescriptor& table, const std::vector<std::string>& split_keys) {
  const auto create = [&] {
    return connection.Call("creation of table " + table.name, [&](thrift2::THBaseServiceClient& client) {
      client.createTable(ToTableDescriptor(table), split_keys);
    });
  };
  Status status = create();
  const ColumnName name = SplitColumn(table.name);
  if (status.code() == StatusCode::kNotFound && name.has_qualifier) {
    FENSI_RETURN_IF_ERROR(CreateNamespace(connection, std::string(name.family)));
    status = create();
  }
  return status;
}

Status DropOn(Connection& connection, const std::string& table) {
  FENSI_ASSIGN_OR_RETURN(const bool exists, Exists(connection, table));
  if (!exists) return NoSuchTable(table);
  const thrift2::TTableName name = ToTableName(table);
  FENSI_RETURN_IF_ERROR(connection.Call("disabling of table " + table, [&](thrift2::THBaseServiceClient& client) {
    if (client.isTableEnabled(name)) client.disableTable(name);
  }));
  return connection.Call("removal of table " + table,
                         [&](thrift2::THBaseServiceClient& client) { client.deleteTable(name); });
}

}  // namespace

Status ExplainFault(Connection& connection, const std::string& table, Outcome fault) {
  const StatusCode code = fault.status.code();
  if (code == StatusCode::kNotFound) return NoSuchTable(table);
  const bool may_pass = code == StatusCode::kUnavailable || code == StatusCode::kRejected;
  const bool clear = fault.suspect == Suspect::kFamily || fault.suspect == Suspect::kReplySize;
  if (!may_pass || !fault.answered || clear) return fault.status;
  const Result<bool> exists = Exists(connection, table);
  if (exists.ok() && !*exists) return NoSuchTable(table);
  return fault.status.As(StatusCode::kUnavailable);
}

Result<std::shared_ptr<const TableDescriptor>> TableAdmin::Known(const std::string& table, bool fresh) {
  const std::string name(CanonicalTableName(table));
  if (!fresh) {
    const MutexLock lock(memory_->mu);
    const auto found = memory_->tables.find(name);
    if (found != memory_->tables.end()) return found->second;
  }
  FENSI_ASSIGN_OR_RETURN(const std::optional<TableDescriptor> described, Describe(table));
  const MutexLock lock(memory_->mu);
  memory_->tables.erase(name);
  if (!described.has_value()) return NoSuchTable(table);
  return memory_->tables[name] = std::make_shared<const TableDescriptor>(*described);
}

void TableAdmin::Forget(const std::string& table) {
  const MutexLock lock(memory_->mu);
  memory_->tables.erase(std::string(CanonicalTableName(table)));
}

Status TableAdmin::Create(const TableDescriptor& table, const std::vector<std::string>& split_keys) {
  FENSI_RETURN_IF_ERROR(CheckTable(table, split_keys));
  Forget(table.name);
  return pool_->Run([&](Connection& connection) { return CreateOn(connection, table, split_keys); }, permission_);
}

Result<std::optional<TableDescriptor>> TableAdmin::Describe(const std::string& table) {
  std::optional<TableDescriptor> described;
  const auto describe = [&](Connection& connection) -> Status {
    const Result<bool> exists = Exists(connection, table);
    if (!exists.ok() || !*exists) return exists.status();
    return connection.Call("description of table " + table, [&](thrift2::THBaseServiceClient& client) {
      thrift2::TTableDescriptor answer;
      client.getTableDescriptor(answer, ToTableName(table));
      described = FromTableDescriptor(table, answer);
    });
  };
  FENSI_RETURN_IF_ERROR(pool_->Run(describe, permission_));
  return described;
}

Result<std::vector<std::string>> TableAdmin::Names() {
  std::vector<thrift2::TTableName> found;
  const auto ask = [&](Connection& connection) {
    return connection.Call("names of all tables", [&](thrift2::THBaseServiceClient& client) {
      found.clear();
      client.getTableNamesByPattern(found, ".*", /*includeSysTables=*/false);
    });
  };
  FENSI_RETURN_IF_ERROR(pool_->Run(ask, permission_));
  std::vector<std::string> names;
  for (const thrift2::TTableName& name : found) names.push_back(FromTableName(name));
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::vector<std::string>> TableAdmin::RegionStarts(const std::string& table) {
  FENSI_ASSIGN_OR_RETURN(std::vector<RegionBounds> regions, Regions(table));
  std::vector<std::string> starts;
  for (RegionBounds& region : regions) starts.push_back(std::move(region.start));
  return starts;
}

Result<std::vector<RegionBounds>> TableAdmin::Regions(const std::string& table) {
  std::vector<RegionBounds> bounds;
  const auto ask = [&](Connection& connection) {
    return connection.Call("regions of table " + table, [&](thrift2::THBaseServiceClient& client) {
      std::vector<thrift2::THRegionLocation> regions;
      client.getAllRegionLocations(regions, table);
      bounds.clear();
      for (thrift2::THRegionLocation& region : regions) {
        thrift2::THRegionInfo& info = region.regionInfo;
        std::string name = EncodedRegionName(table, info.startKey, info.regionId);
        bounds.push_back({std::move(name), std::move(info.startKey), ""});
      }
    });
  };
  FENSI_RETURN_IF_ERROR(pool_->Run(ask, permission_));
  if (bounds.empty()) return NoSuchTable(table);  // HBase answers so
  std::sort(bounds.begin(), bounds.end(),
            [](const RegionBounds& one, const RegionBounds& other) { return one.start < other.start; });
  for (size_t i = 0; i + 1 < bounds.size(); ++i) bounds[i].stop = bounds[i + 1].start;
  return bounds;
}

Status TableAdmin::Drop(const std::string& table) {
  Forget(table);
  return pool_->Run([&](Connection& connection) { return DropOn(connection, table); }, permission_);
}

}  // namespace fensi::store
