#include "store/retrying_store.h"

#include <algorithm>
#include <random>

namespace fensi::store {
namespace {

/// Half of the pause is left to chance, so that many callers do not come back at once.
std::chrono::milliseconds WithJitter(std::chrono::milliseconds pause) {
  thread_local std::minstd_rand random(std::random_device{}());
  return pause / 2 + std::chrono::milliseconds(random() % (pause.count() / 2 + 1));
}

}  // namespace

RetryingStore::RetryingStore(Store* behind, RetryOptions options)
    : InterceptingStore(behind), options_(std::move(options)) {}

RetryingStore::RetryingStore(std::unique_ptr<Store> behind, RetryOptions options)
    : InterceptingStore(std::shared_ptr<Store>(std::move(behind))), options_(std::move(options)) {}

std::unique_ptr<Store> RetryingStore::Over(std::unique_ptr<Store> behind) {
  return std::make_unique<RetryingStore>(std::move(behind), options_);
}

Status RetryingStore::Repeat(const std::function<Status()>& call, int* attempts) {
  const auto start = options_.clock->MonotonicNow();
  RetryState state;
  while (true) {
    Status status = call();
    if (attempts != nullptr) *attempts = state.attempts + 1;
    state.lasting = options_.clock->MonotonicNow() - start;
    if (status.code() != StatusCode::kUnavailable) {
      if (state.attempts > 0 && options_.on_recovery) options_.on_recovery(state);
      return status;
    }
    ++state.attempts;
    state.last = status;
    if (options_.give_up_after && state.lasting >= *options_.give_up_after) return status;
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

Status RetryingStore::CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) {
  int attempts = 0;
  Status status = Repeat([&] { return behind()->CreateTable(table, split_keys); }, &attempts);
  return attempts > 1 && status.code() == StatusCode::kAlreadyExists ? Status() : status;
}

Status RetryingStore::DropTable(const std::string& table) {
  int attempts = 0;
  Status status = Repeat([&] { return behind()->DropTable(table); }, &attempts);
  return attempts > 1 && status.code() == StatusCode::kNotFound ? Status() : status;
}

}  // namespace fensi::store
