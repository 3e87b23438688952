// Counts the calls of a store, their duration and their errors. Wrap it in a RetryingStore: each attempt counts.
//
// Thread-safe if the wrapped store is.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/histogram.h"
#include "store/wrapped_store.h"

namespace fensi::store {

enum class FailureKind { kUnavailable, kRejected, kPermission, kOther };
inline constexpr size_t kFailureKinds = 4;
inline constexpr std::array<const char*, kFailureKinds> kFailureKindNames = {"unavailable", "rejected", "permission",
                                                                             "other"};

/// Thread-safe. A stop, or a lost permission, is no failure of the store.
struct StoreMetrics {
  std::array<Histogram, kCallKinds> seconds = {Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls),
                                               Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls),
                                               Histogram(Histogram::kOfCalls)};
  std::array<std::array<std::atomic<int64_t>, kFailureKinds>, kCallKinds> failures{};

  void Note(StoreOp call, std::chrono::nanoseconds took, const Status& status, bool some_rejected);
};

class InstrumentedStore final : public InterceptingStore<InstrumentedStore> {
 public:
  /// `measures` outlives it and all its views.
  InstrumentedStore(std::shared_ptr<Store> behind, StoreMetrics* measures)
      : InterceptingStore(std::move(behind)), measures_(measures) {}

 private:
  friend class InterceptingStore<InstrumentedStore>;

  template <typename Call>
  auto Around(StoreOp kind, Call call) -> decltype(call()) {
    const auto start = std::chrono::steady_clock::now();
    auto answer = call();
    bool some_rejected = false;
    if constexpr (std::is_same_v<decltype(answer), Result<std::vector<RejectedRow>>>) {
      some_rejected = answer.ok() && !answer->empty();
    }
    measures_->Note(kind, std::chrono::steady_clock::now() - start, StatusOf(answer), some_rejected);
    return answer;
  }

  std::unique_ptr<Store> Over(std::unique_ptr<Store> behind) override {
    return std::make_unique<InstrumentedStore>(std::move(behind), measures_);
  }

  StoreMetrics* const measures_;
};

}  // namespace fensi::store
