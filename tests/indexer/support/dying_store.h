// The store of one owner, whose n-th write fails in one of five ways. Then the owner is dead: all its later calls fail.
// A write that is late waits in a list, until the list's owner delivers it. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "store/wrapped_store.h"
#include "tests/indexer/support/dice.h"

namespace fensi::testing {

enum class WriteFault {
  kBefore,    // it does not reach the store
  kAfter,     // the store has it; the reply is lost
  kPartLost,  // the store has some of its rows
  kPartLate,  // the same, and the other rows come late
  kLate,      // it comes late as a whole
};
constexpr WriteFault kWriteFaults[] = {WriteFault::kBefore, WriteFault::kAfter, WriteFault::kPartLost,
                                       WriteFault::kPartLate, WriteFault::kLate};

struct Death {
  int write = 0;  // of the batch, from 1 on; 0: none
  WriteFault fault = WriteFault::kBefore;
  uint64_t seed = 0;  // of the rows in the part that reaches the store
  bool operator==(const Death&) const = default;
};

/// "dies before write 3".
std::string Text(const Death& death);

struct LateWrite {
  std::string table;
  std::vector<store::RowMutation> rows;
  store::WriteKind kind;
};

class DyingStore final : public store::InterceptingStore<DyingStore, store::DelegatingStore> {
 public:
  DyingStore(store::Store* behind, std::deque<LateWrite>* late) : InterceptingStore(behind), late_(late) {}

  /// Counts writes from now on. A write is also the creation of a table, which is never late.
  void Arm(const Death& death);
  bool dead() const { return dead_; }

  Result<std::vector<store::RejectedRow>> Put(const std::string& table,
                                              std::span<const store::RowMutation> rows) override;
  Result<std::vector<store::RejectedRow>> Delete(const std::string& table,
                                                 std::span<const store::RowMutation> rows) override;
  Status CreateTable(const store::TableDescriptor& table, const std::vector<std::string>& split_keys) override;

 private:
  friend class InterceptingStore<DyingStore, store::DelegatingStore>;

  template <typename Call>
  auto Around(store::StoreOp /*kind*/, Call call) -> decltype(call()) {
    if (dead_) return Lost();
    return call();
  }
  static Status Lost() { return Status(StatusCode::kUnavailable, "the owner is dead (injected)"); }
  /// Is the next write the last one?
  bool Dies() { return death_.write > 0 && --death_.write == 0; }
  Result<std::vector<store::RejectedRow>> Write(const std::string& table, std::span<const store::RowMutation> rows,
                                                store::WriteKind kind);

  std::deque<LateWrite>* const late_;
  Death death_;
  Dice dice_;
  bool dead_ = false;
};

/// As the store would have had it, had it come in time.
Result<std::vector<store::RejectedRow>> Deliver(store::Store* store, const LateWrite& write);

}  // namespace fensi::testing
