// A store with the faults of a plan. Made only if a plan is given; otherwise the store itself is used.
//
// As thread-safe as the wrapped store, which it keeps alive.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "daemon/faults/fault_plan.h"
#include "store/wrapped_store.h"

namespace fensi::daemon {

class FaultStore final : public store::ForwardingStore {
 public:
  FaultStore(std::shared_ptr<store::Store> behind, std::shared_ptr<FaultPlan> plan, std::string state_table)
      : ForwardingStore(std::move(behind)), plan_(std::move(plan)), state_table_(std::move(state_table)) {}

  Result<std::vector<store::RejectedRow>> Put(const std::string& table,
                                              std::span<const store::RowMutation> rows) override;
  Result<std::vector<store::RejectedRow>> Delete(const std::string& table,
                                                 std::span<const store::RowMutation> rows) override;
  Result<std::vector<store::Row>> Get(const std::string& table, std::span<const store::GetRequest> requests) override;
  Result<std::vector<store::Row>> GetSome(const std::string& table, std::span<const store::GetRequest> requests,
                                          size_t max_bytes) override;
  Result<std::vector<store::Row>> Scan(const std::string& table, const store::ScanRequest& request) override;
  Result<std::optional<store::TableDescriptor>> DescribeTable(const std::string& table) override;

 private:
  std::unique_ptr<store::Store> Over(std::unique_ptr<store::Store> behind) override {
    return std::make_unique<FaultStore>(std::move(behind), plan_, state_table_);
  }
  template <typename Call>
  auto Meet(const char* name, Call call) -> decltype(call());

  const std::shared_ptr<FaultPlan> plan_;
  const std::string state_table_;
};

}  // namespace fensi::daemon
