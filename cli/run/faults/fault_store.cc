#include "cli/run/faults/fault_store.h"

namespace fensi::cli {

using store::GetRequest;
using store::RejectedRow;
using store::Row;
using store::RowMutation;

template <typename Call>
auto FaultStore::Meet(const char* name, Call call) -> decltype(call()) {
  const FaultPlan::Fate fate = plan_->Enter(name);
  FENSI_RETURN_IF_ERROR(fate.before);
  auto answer = call();
  FENSI_RETURN_IF_ERROR(FaultPlan::Leave(fate));
  return answer;
}

Result<std::vector<RejectedRow>> FaultStore::Put(const std::string& table, std::span<const RowMutation> rows) {
  return Meet(table == state_table_ ? "state" : "put", [&] { return behind_->Put(table, rows); });
}

Result<std::vector<RejectedRow>> FaultStore::Delete(const std::string& table, std::span<const RowMutation> rows) {
  return Meet("delete", [&] { return behind_->Delete(table, rows); });
}

Result<std::vector<Row>> FaultStore::Get(const std::string& table, std::span<const GetRequest> requests) {
  return Meet("get", [&] { return behind_->Get(table, requests); });
}

Result<std::vector<Row>> FaultStore::Scan(const std::string& table, const store::ScanRequest& request) {
  return Meet("scan", [&] { return behind_->Scan(table, request); });
}

Status FaultStore::CreateTable(const store::TableDescriptor& table, const std::vector<std::string>& split_keys) {
  return behind_->CreateTable(table, split_keys);
}

Result<std::optional<store::TableDescriptor>> FaultStore::DescribeTable(const std::string& table) {
  return Meet("describe", [&] { return behind_->DescribeTable(table); });
}

Result<std::vector<std::string>> FaultStore::RegionStarts(const std::string& table) {
  return behind_->RegionStarts(table);
}

Status FaultStore::DropTable(const std::string& table) { return behind_->DropTable(table); }

std::unique_ptr<store::Store> FaultStore::Asking(std::function<Status()> permission) {
  std::shared_ptr<store::Store> view = behind_->Asking(std::move(permission));
  if (view == nullptr) return nullptr;
  return std::make_unique<FaultStore>(std::move(view), plan_, state_table_);
}

}  // namespace fensi::cli
