// Repeats what a store could not do for now (kUnavailable): every call but CompareAndPut may be repeated as it was
// (store.h); that one is handed on and its answer back, once.
//
// Calls block, sleeping between attempts on the clock; any thread. Everything but kUnavailable is returned at once.
// A CreateTable or DropTable that is repeated takes "it is there already" or "it is gone" for its own work.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "store/around_store.h"

namespace fensi::store {

/// A call that is being repeated.
struct RetryState {
  std::chrono::milliseconds lasting{0};  // since its first attempt began
  int attempts = 0;                      // that failed
  Status last;
};

struct RetryOptions {
  Clock* clock = SystemClock();
  std::chrono::milliseconds first_pause{100};  // doubles with every attempt
  std::chrono::milliseconds longest_pause{10'000};
  /// A call that fails for longer is given up with its last error; absent: never.
  std::optional<std::chrono::milliseconds> give_up_after;
  /// Asked before every repeat and at least once a second while pausing; an error ends the call with that error.
  std::function<Status()> should_go_on;
  /// After every failed attempt that will be repeated, on the calling thread.
  std::function<void(const RetryState&)> on_retry;
  /// When a call succeeds (or fails for good) after repeats.
  std::function<void(const RetryState&)> on_recovery;
};

class RetryingStore final : public AroundStore<RetryingStore> {
 public:
  /// Does not own `behind`, which must outlive it.
  RetryingStore(Store* behind, RetryOptions options);
  /// Owns it.
  RetryingStore(std::unique_ptr<Store> behind, RetryOptions options);

  Result<bool> CompareAndPut(const std::string& table, const ConditionalPut& change) override {
    return behind()->CompareAndPut(table, change);
  }
  Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) override;
  Status DropTable(const std::string& table) override;

 private:
  friend class AroundStore<RetryingStore>;

  template <typename Call>
  auto Around(CallKind /*kind*/, Call call) -> decltype(call()) {
    std::optional<decltype(call())> answer;
    FENSI_RETURN_IF_ERROR(Repeat([&] { return StatusOf(answer.emplace(call())); }));
    return *std::move(answer);
  }
  std::unique_ptr<Store> Over(std::unique_ptr<Store> behind) override;
  /// Calls until the answer is not kUnavailable, and returns the last one, or why it is not repeated; `attempts` is how
  /// often it was called, when it is given.
  Status Repeat(const std::function<Status()>& call, int* attempts = nullptr);
  /// Ok: try again.
  Status Pause(const RetryState& state);

  const RetryOptions options_;
};

}  // namespace fensi::store
