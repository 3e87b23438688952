#include "operations/backfill/own_requests.h"

#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "consumer/codec/request.h"
#include "indexer/remedies.h"

namespace fensi::operations {
namespace {

using consumer::Request;

constexpr char kAsked[] = "asked";
constexpr size_t kMostSent = 2'000;
constexpr size_t kMostBytes = size_t{512} << 10;

void AppendPiece(const std::string& piece, std::string* out) {
  AppendBigEndian64(static_cast<int64_t>(piece.size()), out);
  *out += piece;
}

/// Takes a piece from the front; false: there is none.
bool TakePiece(std::string_view* bytes, std::string_view* piece) {
  if (bytes->size() < 8) return false;
  const auto size = static_cast<size_t>(ReadBigEndian64(bytes->substr(0, 8)));
  if (size > bytes->size() - 8) return false;
  *piece = bytes->substr(8, size);
  bytes->remove_prefix(8 + size);
  return true;
}

}  // namespace

/// Nobody else can have the rows as long as this process has the store.
class OwnRequests::Whole final : public consumer::Assignment {
 public:
  const std::string& topic() const override { return topic_; }
  int32_t partition() const override { return kPartition; }
  int32_t partition_count() const override { return 1; }
  Status Check() const override { return {}; }

 private:
  const std::string topic_ = "own requests";
};

OwnRequests::OwnRequests(const mapping::Index* index, store::Store* store)
    : index_(index), row_(index, store), assignment_(std::make_shared<Whole>()) {}

Status OwnRequests::Send(const Request& request) {
  FENSI_RETURN_IF_ERROR(CheckRequest(request));
  for (const Cell& cell : request.cells) sent_bytes_ += cell.qualifier.size() + cell.value.size() + 64;
  sent_bytes_ += request.row.size() + 64;
  sent_.push_back(request);
  return sent_.size() < kMostSent && sent_bytes_ < kMostBytes ? Status() : HandOver();
}

Status OwnRequests::Flush() { return HandOver(); }

Status OwnRequests::HandOver() {
  std::vector<Request> batch = std::exchange(sent_, {});
  sent_bytes_ = 0;
  MutexLock lock(mu_);
  const auto idle = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return !failure_.ok() || (state_ == State::kReady && done_ == first_ + static_cast<int64_t>(log_.size()));
  };
  changed_.wait(lock, idle);
  FENSI_RETURN_IF_ERROR(failure_);
  if (batch.empty()) return {};
  FENSI_RETURN_IF_ERROR(Keep(batch, done_));
  first_ = done_;
  log_ = std::move(batch);
  changed_.notify_all();
  changed_.wait(lock, idle);
  return failure_;
}

Status OwnRequests::Keep(const std::vector<Request>& requests, int64_t first) {
  std::string value;
  for (const Request& request : requests) {
    AppendPiece(request.row, &value);
    AppendPiece(consumer::EncodeRequest(request), &value);
  }
  return row_.Write(kAsked, first + 1, std::move(value));
}

Status OwnRequests::Load() {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> kept, row_.Read(kAsked));
  if (!kept.has_value()) return {};
  std::vector<Request> log;
  std::string_view bytes = kept->value, row, message;
  while (TakePiece(&bytes, &row) && TakePiece(&bytes, &message)) {
    FENSI_ASSIGN_OR_RETURN(Request request, consumer::DecodeRequest(row, message));
    log.push_back(std::move(request));
  }
  const MutexLock lock(mu_);
  first_ = done_ = kept->timestamp - 1;
  log_ = std::move(log);
  return bytes.empty() ? Status()
                       : Status(StatusCode::kInternal, "state table " + index_->state_table() +
                                                           ": column i:asked of row 'fensi' is damaged. " +
                                                           indexer::RebuildRemedy(*index_, "Build"));
}

void OwnRequests::Finish() {
  const MutexLock lock(mu_);
  finished_ = true;
  changed_.notify_all();
}

void OwnRequests::Fail(const Status& status) {
  const MutexLock lock(mu_);
  const Status ended =
      abandoned_
          ? Status(StatusCode::kInternal,
                   "the backfill ended before all of its requests were applied. Run the same command again: "
                   "it continues where it stopped. If it ends so again, report this line to the developers")
          : Status(StatusCode::kCancelled,
                   "the backfill has stopped, and applies no more requests. Run the same command again to continue");
  if (failure_.ok()) failure_ = status.ok() ? ended : status;
  changed_.notify_all();
}

consumer::Work OwnRequests::Next() {
  MutexLock lock(mu_);
  if (state_ == State::kNew) {
    state_ = State::kOpening;
    lock.unlock();
    const Status loaded = Load();
    lock.lock();
    if (!loaded.ok()) return consumer::End{loaded};
    const int64_t end = first_ + static_cast<int64_t>(log_.size());
    return consumer::Opening{assignment_, std::nullopt, 0, 0, consumer::RequestLog{first_, end}};
  }
  const auto has_work = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    const bool waiting = done_ < first_ + static_cast<int64_t>(log_.size());
    return state_ == State::kEnded || (state_ == State::kReady && (waiting || finished_));
  };
  changed_.wait(lock, has_work);
  if (state_ == State::kEnded || done_ == first_ + static_cast<int64_t>(log_.size())) {
    state_ = State::kEnded;
    changed_.notify_all();
    return consumer::End{};
  }
  state_ = State::kInHand;
  return BatchOf(static_cast<size_t>(done_ - first_));
}

consumer::RequestBatch OwnRequests::BatchOf(size_t from) const {
  const auto bytes = std::make_shared<std::deque<std::string>>();  // which never moves what it has
  consumer::RequestBatch batch{assignment_, {}, first_ + static_cast<int64_t>(log_.size()), bytes};
  for (size_t i = from; i < log_.size(); ++i) {
    const std::string& row = bytes->emplace_back(log_[i].row);
    const std::string& message = bytes->emplace_back(consumer::EncodeRequest(log_[i]));
    batch.records.push_back(
        {.offset = first_ + static_cast<int64_t>(i), .request = log_[i], .key = row, .value = message});
  }
  return batch;
}

Status OwnRequests::Begin(const std::shared_ptr<consumer::Assignment>&, int64_t) {
  const MutexLock lock(mu_);
  state_ = State::kReady;
  changed_.notify_all();
  return {};
}

Status OwnRequests::BeginRequests(const std::shared_ptr<consumer::Assignment>&, consumer::RequestPosition start) {
  const MutexLock lock(mu_);
  done_ = start.done;
  return {};
}

void OwnRequests::Done(const consumer::RequestBatch& batch) {
  const MutexLock lock(mu_);
  done_ = batch.next_offset;
  state_ = State::kReady;
  changed_.notify_all();
}

void OwnRequests::Abandon(const std::shared_ptr<consumer::Assignment>&) {
  const MutexLock lock(mu_);
  state_ = State::kEnded;
  abandoned_ = true;  // Fail says why
  changed_.notify_all();
}

}  // namespace fensi::operations
