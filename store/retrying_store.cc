#include "store/retrying_store.h"

#include <algorithm>
#include <random>

namespace fensi::store {
namespace {

const Status& StatusOf(const Status& status) { return status; }
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

RetryingStore::RetryingStore(Store* behind, RetryOptions options) : behind_(behind), options_(std::move(options)) {}

RetryingStore::RetryingStore(std::unique_ptr<Store> behind, RetryOptions options)
    : owned_(std::move(behind)), behind_(owned_.get()), options_(std::move(options)) {}

template <typename Function>
auto RetryingStore::Repeat(Function call, int* attempts) -> decltype(call()) {
  const auto start = options_.clock->SinceBoot();
  Trouble trouble;
  while (true) {
    auto answer = call();
    const Status& status = StatusOf(answer);
    if (attempts != nullptr) *attempts = trouble.attempts + 1;
    trouble.lasting = options_.clock->SinceBoot() - start;
    if (status.code() != StatusCode::kUnavailable) {
      if (trouble.attempts > 0 && options_.on_recovery) options_.on_recovery(trouble);
      return answer;
    }
    ++trouble.attempts;
    trouble.last = status;
    if (options_.give_up_after && trouble.lasting >= *options_.give_up_after) return answer;
    if (options_.on_trouble) options_.on_trouble(trouble);
    if (Status stop = Pause(trouble); !stop.ok()) return stop;
  }
}

Status RetryingStore::Pause(const Trouble& trouble) {
  constexpr std::chrono::milliseconds kSlice(1'000);
  constexpr int kMostDoublings = 20;
  const int doublings = std::min(trouble.attempts - 1, kMostDoublings);
  auto left = WithJitter(std::min(options_.longest_pause, options_.first_pause * (1 << doublings)));
  if (options_.give_up_after) left = std::min(left, *options_.give_up_after - trouble.lasting);
  while (left.count() > 0) {
    if (options_.should_go_on) FENSI_RETURN_IF_ERROR(options_.should_go_on());
    const auto slice = std::min(left, kSlice);
    options_.clock->Sleep(slice);
    left -= slice;
  }
  return options_.should_go_on ? options_.should_go_on() : Status();
}

Result<std::vector<RejectedRow>> RetryingStore::Put(const std::string& table, std::span<const RowMutation> rows) {
  return Repeat([&] { return behind_->Put(table, rows); });
}

Result<std::vector<RejectedRow>> RetryingStore::Delete(const std::string& table, std::span<const RowMutation> rows) {
  return Repeat([&] { return behind_->Delete(table, rows); });
}

Result<std::vector<Row>> RetryingStore::Get(const std::string& table, std::span<const GetRequest> requests) {
  return Repeat([&] { return behind_->Get(table, requests); });
}

Result<std::vector<Row>> RetryingStore::Scan(const std::string& table, const ScanRequest& request) {
  return Repeat([&] { return behind_->Scan(table, request); });
}

Status RetryingStore::CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) {
  int attempts = 0;
  Status status = Repeat([&] { return behind_->CreateTable(table, split_keys); }, &attempts);
  return attempts > 1 && status.code() == StatusCode::kAlreadyExists ? Status() : status;
}

Result<std::optional<TableDescriptor>> RetryingStore::DescribeTable(const std::string& table) {
  return Repeat([&] { return behind_->DescribeTable(table); });
}

Result<std::vector<std::string>> RetryingStore::RegionStarts(const std::string& table) {
  return Repeat([&] { return behind_->RegionStarts(table); });
}

Status RetryingStore::DropTable(const std::string& table) {
  int attempts = 0;
  Status status = Repeat([&] { return behind_->DropTable(table); }, &attempts);
  return attempts > 1 && status.code() == StatusCode::kNotFound ? Status() : status;
}

}  // namespace fensi::store
