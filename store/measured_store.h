// Counts the calls of a store, how long each takes and how it fails. Above it a RetryingStore repeats: each attempt
// counts.
//
// As thread-safe as the store behind.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/histogram.h"
#include "store/forwarding_store.h"

namespace fensi::store {

enum class CallKind { kPut, kDelete, kGet, kScan, kAdmin };
inline constexpr size_t kCallKinds = 5;
inline constexpr std::array<const char*, kCallKinds> kCallKindNames = {"put", "delete", "get", "scan", "admin"};

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

class MeasuredStore final : public ForwardingStore {
 public:
  /// `measures` outlives it and all its views.
  MeasuredStore(std::shared_ptr<Store> behind, StoreMeasures* measures)
      : ForwardingStore(std::move(behind)), measures_(measures) {}

  Result<std::vector<RejectedRow>> Put(const std::string& table, std::span<const RowMutation> rows) override;
  Result<std::vector<RejectedRow>> Delete(const std::string& table, std::span<const RowMutation> rows) override;
  Result<bool> CompareAndPut(const std::string& table, const ConditionalPut& change) override;
  Result<std::vector<Row>> Get(const std::string& table, std::span<const GetRequest> requests) override;
  Result<std::vector<Row>> GetSome(const std::string& table, std::span<const GetRequest> requests,
                                   size_t max_bytes) override;
  Result<std::vector<Row>> Scan(const std::string& table, const ScanRequest& request) override;
  Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) override;
  Result<std::optional<TableDescriptor>> DescribeTable(const std::string& table) override;
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override;
  Status DropTable(const std::string& table) override;

 private:
  std::unique_ptr<Store> Over(std::unique_ptr<Store> behind) override {
    return std::make_unique<MeasuredStore>(std::move(behind), measures_);
  }
  template <typename Call>
  auto Measure(CallKind kind, Call call) -> decltype(call());

  StoreMeasures* const measures_;
};

}  // namespace fensi::store
