// Counts the calls of a store, how long each takes and how it fails. Above it a RetryingStore repeats: each attempt
// counts.
//
// As thread-safe as the store behind.
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
#include "store/around_store.h"

namespace fensi::store {

enum class FailureKind { kUnavailable, kRejected, kPermission, kOther };
inline constexpr size_t kFailureKinds = 4;
inline constexpr std::array<const char*, kFailureKinds> kFailureKindNames = {"unavailable", "rejected", "permission",
                                                                             "other"};

/// Thread-safe. To be asked to stop, or to lose the right to write, is no failure of the store.
struct StoreMeasures {
  std::array<Histogram, kCallKinds> seconds = {Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls),
                                               Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls),
                                               Histogram(Histogram::kOfCalls)};
  std::array<std::array<std::atomic<int64_t>, kFailureKinds>, kCallKinds> failures{};

  void Note(CallKind call, std::chrono::nanoseconds took, const Status& status, bool some_rejected);
};

class MeasuredStore final : public AroundStore<MeasuredStore> {
 public:
  /// `measures` outlives it and all its views.
  MeasuredStore(std::shared_ptr<Store> behind, StoreMeasures* measures)
      : AroundStore(std::move(behind)), measures_(measures) {}

 private:
  friend class AroundStore<MeasuredStore>;

  template <typename Call>
  auto Around(CallKind kind, Call call) -> decltype(call()) {
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
    return std::make_unique<MeasuredStore>(std::move(behind), measures_);
  }

  StoreMeasures* const measures_;
};

}  // namespace fensi::store
