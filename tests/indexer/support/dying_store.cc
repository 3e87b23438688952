#include "tests/indexer/support/dying_store.h"

#include <utility>

namespace fensi::testing {

std::string Text(const Death& death) {
  if (death.write == 0) return "";
  const std::string write = " write " + std::to_string(death.write);
  switch (death.fault) {
    case WriteFault::kBefore:
      return "dies before" + write;
    case WriteFault::kAfter:
      return "dies after" + write;
    case WriteFault::kPartLost:
      return "dies in" + write + ", some rows are lost (" + std::to_string(death.seed) + ")";
    case WriteFault::kPartLate:
      return "dies in" + write + ", some rows come late (" + std::to_string(death.seed) + ")";
    case WriteFault::kLate:
      return "dies in" + write + ", which comes late";
  }
  return "";
}

Result<std::vector<store::RejectedRow>> Deliver(store::Store* store, const LateWrite& write) {
  return write.kind == store::WriteKind::kPut ? store->Put(write.table, write.rows)
                                              : store->Delete(write.table, write.rows);
}

void DyingStore::Arm(const Death& death) {
  death_ = death;
  dice_ = DiceOf(death.seed);
}

Result<std::vector<store::RejectedRow>> DyingStore::Put(const std::string& table,
                                                        std::span<const store::RowMutation> rows) {
  return Write(table, rows, store::WriteKind::kPut);
}

Result<std::vector<store::RejectedRow>> DyingStore::Delete(const std::string& table,
                                                           std::span<const store::RowMutation> rows) {
  return Write(table, rows, store::WriteKind::kDelete);
}

Status DyingStore::CreateTable(const store::TableDescriptor& table, const std::vector<std::string>& split_keys) {
  if (dead_) return Lost();
  if (!Dies()) return behind()->CreateTable(table, split_keys);
  dead_ = true;
  if (death_.fault != WriteFault::kBefore) FENSI_RETURN_IF_ERROR(behind()->CreateTable(table, split_keys));
  return Lost();
}

Result<std::vector<store::RejectedRow>> DyingStore::Write(const std::string& table,
                                                          std::span<const store::RowMutation> rows,
                                                          store::WriteKind kind) {
  if (dead_) return Lost();
  LateWrite now{table, {rows.begin(), rows.end()}, kind};
  if (!Dies()) return Deliver(behind(), now);
  dead_ = true;
  if (death_.fault == WriteFault::kBefore) return Lost();
  LateWrite later{table, {}, kind};
  if (death_.fault == WriteFault::kLate) std::swap(now.rows, later.rows);
  if (death_.fault == WriteFault::kPartLost || death_.fault == WriteFault::kPartLate) {
    now.rows.clear();
    for (const store::RowMutation& row : rows) (dice_(0, 2) == 0 ? now : later).rows.push_back(row);
  }
  if (!now.rows.empty()) FENSI_RETURN_IF_ERROR(Deliver(behind(), now).status());
  if (!later.rows.empty() && death_.fault != WriteFault::kPartLost) late_->push_back(std::move(later));
  return Lost();
}

}  // namespace fensi::testing
