#include "hbase/admin.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "hbase/admin/master_calls.h"
#include "proto/hbase_client.pb.h"

namespace fensi::hbase {
namespace {

namespace pb = proto::hbase;

void FillName(const std::string& table, pb::TableName* name) {
  const size_t colon = table.find(':');
  name->set_namespace_(colon == std::string::npos ? "default" : table.substr(0, colon));
  name->set_qualifier(colon == std::string::npos ? table : table.substr(colon + 1));
}

std::string NameFrom(const pb::TableName& name) {
  return std::string(CanonicalTableName(name.namespace_() + ":" + name.qualifier()));
}

template <typename Pairs>
std::map<std::string, std::string> BytesFrom(const Pairs& pairs) {
  std::map<std::string, std::string> texts;
  for (const pb::BytesBytesPair& pair : pairs) texts[pair.first()] = pair.second();
  return texts;
}

template <typename Pairs>
std::map<std::string, std::string> TextsFrom(const Pairs& pairs) {
  std::map<std::string, std::string> texts;
  for (const pb::NameStringPair& pair : pairs) texts[pair.name()] = pair.value();
  return texts;
}

template <typename Schema>
void AddAttributes(const std::map<std::string, std::string>& attributes, Schema* schema) {
  for (const auto& [name, value] : attributes) {
    pb::BytesBytesPair* pair = schema->add_attributes();
    pair->set_first(name);
    pair->set_second(value);
  }
}

pb::CreateTableRequest CreateRequest(const TableSchemaSpec& table, const std::vector<std::string>& split_keys) {
  pb::CreateTableRequest request;
  pb::TableSchema* schema = request.mutable_table_schema();
  FillName(table.name, schema->mutable_table_name());
  AddAttributes(table.attributes, schema);
  for (const FamilySchema& family : table.families) {
    pb::ColumnFamilySchema* out = schema->add_column_families();
    out->set_name(family.name);
    AddAttributes(family.attributes, out);
    for (const auto& [name, value] : family.configuration) {
      pb::NameStringPair* pair = out->add_configuration();
      pair->set_name(name);
      pair->set_value(value);
    }
  }
  std::vector<std::string> sorted = split_keys;
  std::sort(sorted.begin(), sorted.end());
  for (const std::string& key : sorted) request.add_split_keys(key);
  request.set_nonce_group(NewNonce());
  request.set_nonce(NewNonce());
  return request;
}

TableSchemaSpec SchemaFrom(const pb::TableSchema& schema) {
  TableSchemaSpec table{
      .name = NameFrom(schema.table_name()), .families = {}, .attributes = BytesFrom(schema.attributes())};
  for (const pb::ColumnFamilySchema& family : schema.column_families()) {
    table.families.push_back({family.name(), BytesFrom(family.attributes()), TextsFrom(family.configuration())});
  }
  return table;
}

pb::TableNonceRequest NonceRequest(const std::string& table) {
  pb::TableNonceRequest request;
  FillName(table, request.mutable_table_name());
  request.set_nonce_group(NewNonce());
  request.set_nonce(NewNonce());
  return request;
}

}  // namespace

Status Admin::CreateNamespace(const std::string& name) {
  pb::CreateNamespaceRequest request;
  request.mutable_namespacedescriptor()->set_name(name);
  request.set_nonce_group(NewNonce());
  request.set_nonce(NewNonce());
  const Status created = RunProcedure(context_, "CreateNamespace", request);
  return created.code() == StatusCode::kAlreadyExists ? Status() : created;
}

Status Admin::Create(const TableSchemaSpec& table, const std::vector<std::string>& split_keys) {
  const Status status = RunProcedure(context_, "CreateTable", CreateRequest(table, split_keys));
  const size_t colon = table.name.find(':');
  if (status.code() != StatusCode::kNotFound || colon == std::string::npos) return status;
  FENSI_RETURN_IF_ERROR(CreateNamespace(table.name.substr(0, colon)));
  return RunProcedure(context_, "CreateTable", CreateRequest(table, split_keys));
}

Result<std::optional<TableSchemaSpec>> Admin::Describe(const std::string& table) {
  pb::GetTableDescriptorsRequest request;
  FillName(table, request.add_table_names());
  request.set_include_sys_tables(true);
  pb::GetTableDescriptorsResponse response;
  const Status status = CallMaster(context_, "GetTableDescriptors", request, &response);
  const bool absent = status.code() == StatusCode::kNotFound || (status.ok() && response.table_schema_size() == 0);
  if (absent) return std::optional<TableSchemaSpec>();
  FENSI_RETURN_IF_ERROR(status);
  return std::optional(SchemaFrom(response.table_schema(0)));
}

Result<std::vector<std::string>> Admin::TableNames() {
  pb::GetTableNamesRequest request;
  request.set_include_sys_tables(false);
  pb::GetTableNamesResponse response;
  FENSI_RETURN_IF_ERROR(CallMaster(context_, "GetTableNames", request, &response));
  std::vector<std::string> names;
  for (const pb::TableName& name : response.table_names()) names.push_back(NameFrom(name));
  std::sort(names.begin(), names.end());
  return names;
}

Result<ClusterFacts> Admin::Facts() {
  pb::GetClusterStatusRequest request;
  for (const auto option : {pb::HBASE_VERSION, pb::CLUSTER_ID, pb::LIVE_SERVERS, pb::SERVERS_NAME}) {
    request.add_options(option);
  }
  pb::GetClusterStatusResponse response;
  FENSI_RETURN_IF_ERROR(CallMaster(context_, "GetClusterStatus", request, &response));
  const pb::ClusterStatus& status = response.cluster_status();
  ClusterFacts facts{status.hbase_version().version(), status.cluster_id().cluster_id(), {}};
  for (const auto& server : status.servers_name()) {
    facts.region_servers.push_back({AddressFrom(server), 0});
  }
  for (const auto& live : status.live_servers()) {
    for (ClusterFacts::RegionServer& server : facts.region_servers) {
      if (server.address == AddressFrom(live.server())) {
        server.reported_ms = static_cast<int64_t>(live.server_load().report_end_time());
      }
    }
  }
  return facts;
}

Result<std::vector<RegionLoad>> Admin::RegionLoads(const std::string& table) {
  constexpr int64_t kMegabyte = 1 << 20;
  pb::GetClusterStatusRequest request;
  request.add_options(pb::LIVE_SERVERS);
  pb::GetClusterStatusResponse response;
  FENSI_RETURN_IF_ERROR(CallMaster(context_, "GetClusterStatus", request, &response));
  const std::string front = table + ",";
  std::vector<RegionLoad> loads;
  for (const auto& live : response.cluster_status().live_servers()) {
    for (const auto& region : live.server_load().region_loads()) {
      // TABLE,START,ID.ENCODED. with a start that may have commas
      const std::string& name = region.region_specifier().value();
      const size_t end = name.rfind(',');
      if (!name.starts_with(front) || end < front.size()) continue;
      loads.push_back({.start = name.substr(front.size(), end - front.size()),
                       .file_bytes = kMegabyte * region.store_uncompressed_size_mb(),
                       .memory_bytes = kMegabyte * region.mem_store_size_mb(),
                       .rounding = kMegabyte * (1 + std::max<int64_t>(1, region.stores()))});
    }
  }
  std::sort(loads.begin(), loads.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
  return loads;
}

Status Admin::Drop(const std::string& table) {
  const Status enabled = CheckEnabled(table);
  if (!enabled.ok() && enabled.code() != StatusCode::kUnavailable) return enabled;
  if (enabled.ok()) FENSI_RETURN_IF_ERROR(RunProcedure(context_, "DisableTable", NonceRequest(table)));
  context_.locator->ForgetTable(table);
  return RunProcedure(context_, "DeleteTable", NonceRequest(table));
}

}  // namespace fensi::hbase
