// Retries temporary errors of a store (kUnavailable). Every call but CompareAndPut may be repeated unchanged (store.h);
// CompareAndPut is forwarded once.
//
// Calls block, sleeping between attempts on the clock; any thread. Everything but kUnavailable is returned at once. A
// repeated CreateTable or DropTable takes "exists already" or "is gone" for its own work.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "store/wrapped_store.h"

namespace fensi::store {

/// The state of a call that is being retried.
struct RetryState {
  std::chrono::milliseconds lasting{0};  // since its first attempt began
  int attempts = 0;                      // failed attempts
  Status last;
};

struct RetryOptions {
  Clock* clock = SystemClock();
  std::chrono::milliseconds first_pause{100};  // doubles with every attempt
  std::chrono::milliseconds longest_pause{10'000};
  /// A call that fails for longer ends with its last error; absent: never.
  std::optional<std::chrono::milliseconds> give_up_after;
  /// Called before every retry and at least once a second while pausing; an error ends the call with that error.
  std::function<Status()> should_go_on;
  /// Called after every failed attempt that will be retried, on the calling thread.
  std::function<void(const RetryState&)> on_retry;
  /// Called when a call succeeds (or fails for good) after retries.
  std::function<void(const RetryState&)> on_recovery;
};

class RetryingStore final : public InterceptingStore<RetryingStore> {
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
  friend class InterceptingStore<RetryingStore>;

  template <typename Call>
  auto Around(StoreOp /*kind*/, Call call) -> decltype(call()) {
    std::optional<decltype(call())> answer;
    FENSI_RETURN_IF_ERROR(Repeat([&] { return StatusOf(answer.emplace(call())); }));
    return *std::move(answer);
  }
  std::unique_ptr<Store> Over(std::unique_ptr<Store> behind) override;
  /// Calls until the answer is not kUnavailable, and returns the last one, or why it is not retried; `attempts`, if
  /// given, is the number of calls.
  Status Repeat(const std::function<Status()>& call, int* attempts = nullptr);
  /// Ok: try again.
  Status Pause(const RetryState& state);

  const RetryOptions options_;
};

}  // namespace fensi::store
