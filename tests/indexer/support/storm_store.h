// A store some of whose writes arrive late, behind the back of everybody: held back, while their owner is told that it
// lost the partition, or a second time, as a call that the gateway applied twice. Late writes arrive between later
// calls, whoever makes them.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "store/wrapped_store.h"

namespace fensi::testing {

/// The n-th write arrives, or arrives once more, some calls later.
struct LateCall {
  int write = 1;
  int delay = 1;
};

class StormStore final : public store::DelegatingStore {
 public:
  /// `late_to` takes the late writes and never fails.
  StormStore(store::Store* behind, store::Store* late_to, std::vector<LateCall> held, std::vector<LateCall> repeated)
      : DelegatingStore(behind), late_to_(late_to), held_(std::move(held)), repeated_(std::move(repeated)) {}

  /// Who calls from now on was told nothing yet.
  void NewOwner() { fenced_ = false; }
  /// Everything that is still late arrives now.
  void Drain();

  Result<std::vector<store::RejectedRow>> Put(const std::string& table,
                                              std::span<const store::RowMutation> rows) override;
  Result<std::vector<store::RejectedRow>> Delete(const std::string& table,
                                                 std::span<const store::RowMutation> rows) override;
  Result<bool> CompareAndPut(const std::string& table, const store::ConditionalPut& change) override;
  Result<std::vector<store::Row>> Get(const std::string& table, std::span<const store::GetRequest> gets) override;
  Result<std::vector<store::Row>> GetSome(const std::string& table, std::span<const store::GetRequest> gets,
                                          size_t max_bytes) override;

 private:
  struct Write {
    std::string table;
    std::vector<store::RowMutation> rows;
    store::WriteKind kind;
    int due;
    std::optional<store::ConditionalPut> conditional = std::nullopt;
  };
  Result<std::vector<store::RejectedRow>> Change(Write write);
  /// The delay with which this write comes, by one of the lists; 0: none.
  int DelayOf(const std::vector<LateCall>& calls) const;
  void DeliverWhatIsDue();
  void Deliver(const Write& write);

  store::Store* const late_to_;
  const std::vector<LateCall> held_;
  const std::vector<LateCall> repeated_;
  std::deque<Write> late_;
  int calls_ = 0;
  int writes_ = 0;
  bool fenced_ = false;
};

}  // namespace fensi::testing
