#include "daemon/faults/fault_store.h"

namespace fensi::daemon {

using store::GetRequest;
using store::RejectedRow;
using store::Row;
using store::RowMutation;

template <typename Call>
auto FaultStore::Meet(const char* name, Call call) -> decltype(call()) {
  const FaultPlan::Fate fate = plan_->Enter(name);
  FENSI_RETURN_IF_ERROR(fate.before);
  auto answer = call();
  FENSI_RETURN_IF_ERROR(plan_->Leave(fate));
  return answer;
}

Result<std::vector<RejectedRow>> FaultStore::Put(const std::string& table, std::span<const RowMutation> rows) {
  return Meet(table == state_table_ ? "state" : "put", [&] { return behind()->Put(table, rows); });
}

Result<std::vector<RejectedRow>> FaultStore::Delete(const std::string& table, std::span<const RowMutation> rows) {
  return Meet("delete", [&] { return behind()->Delete(table, rows); });
}

Result<std::vector<Row>> FaultStore::Get(const std::string& table, std::span<const GetRequest> requests) {
  return Meet("get", [&] { return behind()->Get(table, requests); });
}

Result<std::vector<Row>> FaultStore::GetSome(const std::string& table, std::span<const GetRequest> requests,
                                             size_t max_bytes) {
  return Meet("get", [&] { return behind()->GetSome(table, requests, max_bytes); });
}

Result<std::vector<Row>> FaultStore::Scan(const std::string& table, const store::ScanRequest& request) {
  return Meet("scan", [&] { return behind()->Scan(table, request); });
}

Result<std::optional<store::TableDescriptor>> FaultStore::DescribeTable(const std::string& table) {
  return Meet("describe", [&] { return behind()->DescribeTable(table); });
}

}  // namespace fensi::daemon
