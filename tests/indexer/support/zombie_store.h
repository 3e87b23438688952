// A store whose writes may come late: from the n-th write of a batch on they are kept back while the caller believes
// them done, and reach the tables one by one before later calls of whoever works then. That is a paused owner that
// wakes up, and a call that timed out here and is applied by the gateway all the same. Until Release() the caller reads
// what it believes to have written.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "store/wrapped_store.h"

namespace fensi::testing {

class ZombieStore final : public store::DelegatingStore {
 public:
  explicit ZombieStore(store::Store* behind) : DelegatingStore(behind) {}

  /// Keeps back the n-th write from now and all that follow, until Release().
  void KeepBackFrom(int n) { keep_from_ = n; }
  /// Keeps back the n-th write from now; its owner loses the partition meanwhile, and all its later writes fail (M11).
  void KeepBackOnly(int n) {
    keep_from_ = n;
    only_one_ = true;
  }
  /// The owner is gone: from now on calls come through, and each is preceded by `late_per_call` late writes, but for
  /// the first `untouched_calls`.
  void Release(int late_per_call, int untouched_calls = 0);
  bool kept_back() const { return keeping_; }
  void Forget();
  /// Everything that is still late arrives now.
  void Drain() {
    untouched_calls_ = 0;
    Deliver(late_.size());
  }

  Result<std::vector<store::RejectedRow>> Put(const std::string& table,
                                              std::span<const store::RowMutation> rows) override;
  Result<std::vector<store::RejectedRow>> Delete(const std::string& table,
                                                 std::span<const store::RowMutation> rows) override;
  Result<std::vector<store::Row>> Get(const std::string& table, std::span<const store::GetRequest> gets) override;
  Result<std::vector<store::Row>> GetSome(const std::string& table, std::span<const store::GetRequest> gets,
                                          size_t /*max_bytes*/) override {
    return Get(table, gets);
  }

 private:
  Result<std::vector<store::RejectedRow>> Write(const std::string& table, std::span<const store::RowMutation> rows,
                                                store::WriteKind kind);
  void Deliver(size_t n);
  void AddLateCells(const std::string& table, const store::GetRequest& get, store::Row* row) const;

  struct LateWrite {
    std::string table;
    std::vector<store::RowMutation> rows;
    store::WriteKind kind;
  };
  std::deque<LateWrite> late_;
  int keep_from_ = 0;
  int late_per_call_ = 0;
  int untouched_calls_ = 0;
  bool keeping_ = false;
  bool only_one_ = false;
};

}  // namespace fensi::testing
