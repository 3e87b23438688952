#include "store/measured_store.h"

#include <type_traits>

namespace fensi::store {
namespace {

std::optional<FailureKind> FailureOf(const Status& status) {
  switch (status.code()) {
    case StatusCode::kOk:
    case StatusCode::kFenced:
    case StatusCode::kCancelled:
      return std::nullopt;
    case StatusCode::kUnavailable:
      return FailureKind::kUnavailable;
    case StatusCode::kRejected:
      return FailureKind::kRejected;
    case StatusCode::kPermission:
      return FailureKind::kPermission;
    default:
      return FailureKind::kOther;
  }
}

Status StatusOfAnswer(const Status& status) { return status; }
template <typename T>
Status StatusOfAnswer(const Result<T>& result) {
  return result.status();
}

}  // namespace

void StoreMeasures::Note(CallKind call, std::chrono::nanoseconds took, const Status& status, bool some_rejected) {
  const auto kind = static_cast<size_t>(call);
  seconds[kind].Observe(std::chrono::duration<double>(took).count());
  std::optional<FailureKind> failure = FailureOf(status);
  if (some_rejected) failure = FailureKind::kRejected;
  if (failure) ++failures[kind][static_cast<size_t>(*failure)];
}

template <typename Call>
auto MeasuredStore::Measure(CallKind kind, Call call) -> decltype(call()) {
  const auto start = std::chrono::steady_clock::now();
  auto answer = call();
  bool some_rejected = false;
  if constexpr (std::is_same_v<decltype(answer), Result<std::vector<RejectedRow>>>) {
    some_rejected = answer.ok() && !answer->empty();
  }
  measures_->Note(kind, std::chrono::steady_clock::now() - start, StatusOfAnswer(answer), some_rejected);
  return answer;
}

Result<std::vector<RejectedRow>> MeasuredStore::Put(const std::string& table, std::span<const RowMutation> rows) {
  return Measure(CallKind::kPut, [&] { return behind()->Put(table, rows); });
}

Result<std::vector<RejectedRow>> MeasuredStore::Delete(const std::string& table, std::span<const RowMutation> rows) {
  return Measure(CallKind::kDelete, [&] { return behind()->Delete(table, rows); });
}

Result<bool> MeasuredStore::CompareAndPut(const std::string& table, const ConditionalPut& change) {
  return Measure(CallKind::kPut, [&] { return behind()->CompareAndPut(table, change); });
}

Result<std::vector<Row>> MeasuredStore::Get(const std::string& table, std::span<const GetRequest> requests) {
  return Measure(CallKind::kGet, [&] { return behind()->Get(table, requests); });
}

Result<std::vector<Row>> MeasuredStore::GetSome(const std::string& table, std::span<const GetRequest> requests,
                                                size_t max_bytes) {
  return Measure(CallKind::kGet, [&] { return behind()->GetSome(table, requests, max_bytes); });
}

Result<std::vector<Row>> MeasuredStore::Scan(const std::string& table, const ScanRequest& request) {
  return Measure(CallKind::kScan, [&] { return behind()->Scan(table, request); });
}

Status MeasuredStore::CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) {
  return Measure(CallKind::kAdmin, [&] { return behind()->CreateTable(table, split_keys); });
}

Result<std::optional<TableDescriptor>> MeasuredStore::DescribeTable(const std::string& table) {
  return Measure(CallKind::kAdmin, [&] { return behind()->DescribeTable(table); });
}

Result<std::vector<std::string>> MeasuredStore::RegionStarts(const std::string& table) {
  return Measure(CallKind::kAdmin, [&] { return behind()->RegionStarts(table); });
}

Status MeasuredStore::DropTable(const std::string& table) {
  return Measure(CallKind::kAdmin, [&] { return behind()->DropTable(table); });
}

}  // namespace fensi::store
