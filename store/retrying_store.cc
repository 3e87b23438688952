#include "store/retrying_store.h"

#include <algorithm>
#include <random>

namespace fensi::store {
namespace {

const Status& StatusOf(const Status& status) { return status; }  // NOLINT(bugprone-return-const-ref-from-parameter)
template <typename T>
const Status& StatusOf(const Result<T>& result) {
  return result.status();
}

/// Half of the pause is left to chance, so that many callers do not come back at once.
std::chrono::milliseconds WithJitter(std::chrono::milliseconds pause) {
  thread_local std::minstd_rand random(std::random_device{}());
  return pause / 2 + std::chrono::milliseconds(random() % (pause.count() / 2 + 1));
}

}  // namespace

RetryingStore::RetryingStore(Store* behind, RetryOptions options)
    : ForwardingStore(behind), options_(std::move(options)) {}

RetryingStore::RetryingStore(std::unique_ptr<Store> behind, RetryOptions options)
    : ForwardingStore(std::shared_ptr<Store>(std::move(behind))), options_(std::move(options)) {}

std::unique_ptr<Store> RetryingStore::Over(std::unique_ptr<Store> behind) {
  return std::make_unique<RetryingStore>(std::move(behind), options_);
}

template <typename Function>
auto RetryingStore::Repeat(Function call, int* attempts) -> decltype(call()) {
  const auto start = options_.clock->SinceBoot();
  RetryState state;
  while (true) {
    auto answer = call();
    const Status& status = StatusOf(answer);
    if (attempts != nullptr) *attempts = state.attempts + 1;
    state.lasting = options_.clock->SinceBoot() - start;
    if (status.code() != StatusCode::kUnavailable) {
      if (state.attempts > 0 && options_.on_recovery) options_.on_recovery(state);
      return answer;
    }
    ++state.attempts;
    state.last = status;
    if (options_.give_up_after && state.lasting >= *options_.give_up_after) return answer;
    if (options_.on_retry) options_.on_retry(state);
    if (Status stop = Pause(state); !stop.ok()) return stop;
  }
}

Status RetryingStore::Pause(const RetryState& state) {
  constexpr std::chrono::milliseconds kSlice(1'000);
  constexpr int kMostDoublings = 20;
  const int doublings = std::min(state.attempts - 1, kMostDoublings);
  auto left = WithJitter(std::min(options_.longest_pause, options_.first_pause * (1 << doublings)));
  if (options_.give_up_after) left = std::min(left, *options_.give_up_after - state.lasting);
  while (left.count() > 0) {
    if (options_.should_go_on) FENSI_RETURN_IF_ERROR(options_.should_go_on());
    const auto slice = std::min(left, kSlice);
    options_.clock->Sleep(slice);
    left -= slice;
  }
  return options_.should_go_on ? options_.should_go_on() : Status();
}

Result<std::vector<RejectedRow>> RetryingStore::Put(const std::string& table, std::span<const RowMutation> rows) {
  return Repeat([&] { return behind()->Put(table, rows); });
}

Result<std::vector<RejectedRow>> RetryingStore::Delete(const std::string& table, std::span<const RowMutation> rows) {
  return Repeat([&] { return behind()->Delete(table, rows); });
}

Result<std::vector<Row>> RetryingStore::Get(const std::string& table, std::span<const GetRequest> requests) {
  return Repeat([&] { return behind()->Get(table, requests); });
}

Result<std::vector<Row>> RetryingStore::GetSome(const std::string& table, std::span<const GetRequest> requests,
                                                size_t max_bytes) {
  return Repeat([&] { return behind()->GetSome(table, requests, max_bytes); });
}

Result<std::vector<Row>> RetryingStore::Scan(const std::string& table, const ScanRequest& request) {
  return Repeat([&] { return behind()->Scan(table, request); });
}

Status RetryingStore::CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) {
  int attempts = 0;
  Status status = Repeat([&] { return behind()->CreateTable(table, split_keys); }, &attempts);
  return attempts > 1 && status.code() == StatusCode::kAlreadyExists ? Status() : status;
}

Result<std::optional<TableDescriptor>> RetryingStore::DescribeTable(const std::string& table) {
  return Repeat([&] { return behind()->DescribeTable(table); });
}

Result<std::vector<std::string>> RetryingStore::RegionStarts(const std::string& table) {
  return Repeat([&] { return behind()->RegionStarts(table); });
}

Status RetryingStore::DropTable(const std::string& table) {
  int attempts = 0;
  Status status = Repeat([&] { return behind()->DropTable(table); }, &attempts);
  return attempts > 1 && status.code() == StatusCode::kNotFound ? Status() : status;
}

}  // namespace fensi::store
