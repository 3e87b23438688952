#include "tests/indexer/support/storm_store.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace fensi::testing {
namespace {

Status LostPartition() { return Status(StatusCode::kFenced, "the partition belongs to somebody else"); }

}  // namespace

void StormStore::Drain() {
  for (const Write& write : std::exchange(late_, {})) Deliver(write);
}

Result<std::vector<store::RejectedRow>> StormStore::Put(const std::string& table,
                                                        std::span<const store::RowMutation> rows) {
  return Change({table, {rows.begin(), rows.end()}, store::WriteKind::kPut, 0});
}

Result<std::vector<store::RejectedRow>> StormStore::Delete(const std::string& table,
                                                           std::span<const store::RowMutation> rows) {
  return Change({table, {rows.begin(), rows.end()}, store::WriteKind::kDelete, 0});
}

Result<bool> StormStore::CompareAndPut(const std::string& table, const store::ConditionalPut& change) {
  if (fenced_) return LostPartition();
  DeliverWhatIsDue();
  ++writes_;
  if (const int delay = DelayOf(held_); delay > 0) {
    fenced_ = true;
    late_.push_back({table, {}, store::WriteKind::kPut, calls_ + delay, change});
    return LostPartition();
  }
  return behind()->CompareAndPut(table, change);
}

Result<std::vector<store::Row>> StormStore::Get(const std::string& table, std::span<const store::GetRequest> gets) {
  if (fenced_) return LostPartition();
  DeliverWhatIsDue();
  return behind()->Get(table, gets);
}

Result<std::vector<store::Row>> StormStore::GetSome(const std::string& table, std::span<const store::GetRequest> gets,
                                                    size_t max_bytes) {
  if (fenced_) return LostPartition();
  DeliverWhatIsDue();
  return behind()->GetSome(table, gets, max_bytes);
}

Result<std::vector<store::RejectedRow>> StormStore::Change(Write write) {
  if (fenced_) return LostPartition();
  DeliverWhatIsDue();
  ++writes_;
  if (const int delay = DelayOf(held_); delay > 0) {
    fenced_ = true;
    write.due = calls_ + delay;
    late_.push_back(std::move(write));
    return LostPartition();
  }
  if (const int delay = DelayOf(repeated_); delay > 0) {
    write.due = calls_ + delay;
    late_.push_back(write);
  }
  return write.kind == store::WriteKind::kPut ? behind()->Put(write.table, write.rows)
                                              : behind()->Delete(write.table, write.rows);
}

int StormStore::DelayOf(const std::vector<LateCall>& calls) const {
  const auto found =
      std::find_if(calls.begin(), calls.end(), [&](const LateCall& call) { return call.write == writes_; });
  return found == calls.end() ? 0 : found->delay;
}

void StormStore::DeliverWhatIsDue() {
  ++calls_;
  for (const Write& write : late_) {
    if (write.due <= calls_) Deliver(write);
  }
  std::erase_if(late_, [this](const Write& write) { return write.due <= calls_; });
}

void StormStore::Deliver(const Write& write) {
  if (write.conditional) {
    if (!late_to_->CompareAndPut(write.table, *write.conditional).ok()) std::abort();
    return;
  }
  const auto written = write.kind == store::WriteKind::kPut ? late_to_->Put(write.table, write.rows)
                                                            : late_to_->Delete(write.table, write.rows);
  if (!written.ok()) std::abort();
}

}  // namespace fensi::testing
