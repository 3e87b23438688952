#include "support/zombie_store.h"

#include <cstdlib>

namespace fensi::testing {

void ZombieStore::Release(int late_per_call) {
  keep_from_ = 0;
  late_per_call_ = late_per_call;
}

void ZombieStore::Forget() {
  late_.clear();
  keeping_ = only_one_ = false;
  keep_from_ = late_per_call_ = 0;
}

Result<std::vector<store::RejectedRow>> ZombieStore::Put(const std::string& table,
                                                         std::span<const store::RowMutation> rows) {
  return Write(table, rows, false);
}

Result<std::vector<store::RejectedRow>> ZombieStore::Delete(const std::string& table,
                                                            std::span<const store::RowMutation> rows) {
  return Write(table, rows, true);
}

Result<std::vector<store::Row>> ZombieStore::Get(const std::string& table, std::span<const store::GetRequest> gets) {
  Deliver(static_cast<size_t>(late_per_call_));
  return behind_->Get(table, gets);
}

Result<std::vector<store::Row>> ZombieStore::Scan(const std::string& table, const store::ScanRequest& request) {
  return behind_->Scan(table, request);
}

Status ZombieStore::CreateTable(const store::TableDescriptor& table, const std::vector<std::string>& splits) {
  return behind_->CreateTable(table, splits);
}

Result<std::optional<store::TableDescriptor>> ZombieStore::DescribeTable(const std::string& table) {
  return behind_->DescribeTable(table);
}

Result<std::vector<std::string>> ZombieStore::RegionStarts(const std::string& table) {
  return behind_->RegionStarts(table);
}

Result<std::vector<store::RejectedRow>> ZombieStore::Write(const std::string& table,
                                                           std::span<const store::RowMutation> rows, bool deletes) {
  if (keep_from_ > 0 && --keep_from_ == 0) keeping_ = true;
  if (keeping_ && late_per_call_ == 0) {
    if (only_one_ && !late_.empty()) return Status(StatusCode::kFenced, "the partition belongs to somebody else");
    late_.push_back([this, table, deletes, kept = std::vector<store::RowMutation>(rows.begin(), rows.end())] {
      if (deletes) return behind_->Delete(table, kept).status();
      return behind_->Put(table, kept).status();
    });
    return std::vector<store::RejectedRow>();
  }
  Deliver(static_cast<size_t>(late_per_call_));
  return deletes ? behind_->Delete(table, rows) : behind_->Put(table, rows);
}

void ZombieStore::Deliver(size_t n) {
  for (; n > 0 && !late_.empty(); --n) {
    const std::function<Status()> write = std::move(late_.front());
    late_.pop_front();
    if (!write().ok()) std::abort();
  }
  if (late_.empty()) keeping_ = false;
}

}  // namespace fensi::testing
