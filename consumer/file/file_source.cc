#include "consumer/file/file_source.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace fensi::consumer {

class FileSource::FileAssignment final : public Assignment {
 public:
  explicit FileAssignment(std::string path) : path_(std::move(path)) {}
  const std::string& topic() const override { return path_; }
  int32_t partition() const override { return 0; }
  int32_t partition_count() const override { return 1; }
  Status Check() const override {
    if (lost_) return Status(StatusCode::kFenced, path_ + " was given back");
    if (stopped_) return Status(StatusCode::kCancelled, "asked to stop reading " + path_);
    return {};
  }
  void Lose() { lost_ = true; }
  void Stop() { stopped_ = true; }

 private:
  const std::string path_;
  std::atomic<bool> lost_ = false;
  std::atomic<bool> stopped_ = false;
};

Result<std::unique_ptr<FileSource>> FileSource::Open(const std::string& path, const FileSourceOptions& options) {
  if (options.max_batch_records == 0) return Status(StatusCode::kInvalidArgument, "a batch needs at least one record");
  Result<std::unique_ptr<LineReader>> reader = LineReader::Open(path);
  if (!reader.ok()) return reader.status();
  return std::unique_ptr<FileSource>(new FileSource(path, options, std::move(*reader)));
}

FileSource::FileSource(std::string path, const FileSourceOptions& options, std::unique_ptr<LineReader> reader)
    : path_(std::move(path)), options_(options), reader_(std::move(reader)) {}

FileSource::~FileSource() = default;

Work FileSource::Next() {
  MutexLock lock(mu_);
  changed_.wait(lock, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return stopped_ || state_ != State::kInHand; });
  if (state_ == State::kEnded || stopped_) return End{end_};
  const State before = state_;
  state_ = State::kInHand;
  if (before == State::kFresh) {
    assignment_ = std::make_shared<FileAssignment>(path_);
    return Opening{assignment_, std::nullopt, 0, std::numeric_limits<int64_t>::max()};
  }
  const std::shared_ptr<Assignment> assignment = assignment_;
  lock.unlock();
  return ReadBatch(assignment);
}

Status FileSource::Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset) {
  if (!IsCurrent(assignment)) return Status(StatusCode::kFenced, path_ + " was given back");
  if (offset <= line_) {
    FENSI_RETURN_IF_ERROR(reader_->Rewind());
    line_ = 0;
  }
  LineReader::Line skipped;
  while (line_ + 1 < offset && reader_->Next(true, &skipped) == LineReader::Outcome::kLine) ++line_;
  if (!reader_->status().ok()) return reader_->status();
  SetState(State::kReady);
  return {};
}

/// What the records of a batch point to: a record itself moves when the batch grows, and its event with it.
struct FileSource::BatchMemory {
  std::shared_ptr<void> lines;
  std::string keys;  // one behind the other
};

Work FileSource::ReadBatch(const std::shared_ptr<Assignment>& assignment) {
  Batch batch{assignment, {}, 0, nullptr};
  batch.records.reserve(std::min<size_t>(options_.max_batch_records, 1024));
  size_t bytes = 0;
  LineReader::Outcome outcome = LineReader::Outcome::kLine;
  LineReader::Line line;
  while (batch.records.size() < options_.max_batch_records && bytes < options_.max_batch_bytes) {
    // Reads only for the first record: a batch lies in one block, and a pipe's line does not wait for the next one.
    outcome = reader_->Next(batch.records.empty(), &line);
    if (outcome != LineReader::Outcome::kLine) break;
    ++line_;
    if (line.text.find_first_not_of(" \t") == std::string_view::npos) continue;
    bytes += line.text.size();
    AppendRecord(line, &batch);
  }
  return FinishBatch(std::move(batch), outcome);
}

void FileSource::AppendRecord(const LineReader::Line& line, Batch* batch) {
  Record& record = batch->records.emplace_back();
  record.offset = line_;
  record.value = line.text;
  record.decoded = decoder_.DecodePadded(line.text, &record.event);
  if (!record.decoded.ok()) {
    record.event = ChangeEvent();
    record.decoded = record.decoded.WithContext(path_ + ":" + std::to_string(line_));
  }
  batch->memory = line.memory;
}

/// A file has no keys; in a topic the key is the row.
void FileSource::GiveKeys(Batch* batch) {
  auto memory = std::make_shared<BatchMemory>();
  memory->lines = std::move(batch->memory);
  for (const Record& record : batch->records) memory->keys += record.event.row;
  std::string_view rest = memory->keys;
  for (Record& record : batch->records) {
    record.key = rest.substr(0, record.event.row.size());
    rest.remove_prefix(record.key.size());
  }
  batch->memory = std::move(memory);
}

Work FileSource::FinishBatch(Batch batch, LineReader::Outcome outcome) {
  GiveKeys(&batch);
  const MutexLock lock(mu_);
  lines_read_ = line_;
  bytes_read_ = reader_->consumed();
  batch.next_offset = line_ + 1;
  if (!batch.records.empty() && !stopped_) return batch;
  if (outcome == LineReader::Outcome::kFailed) end_ = reader_->status();
  state_ = State::kEnded;
  changed_.notify_all();
  return End{end_};
}

void FileSource::Done(const Batch& batch) {
  if (!IsCurrent(batch.assignment)) return;
  const MutexLock lock(mu_);
  records_done_ += static_cast<int64_t>(batch.records.size());
  state_ = State::kReady;
  changed_.notify_all();
}

void FileSource::Abandon(const std::shared_ptr<Assignment>& assignment) {
  if (!IsCurrent(assignment)) return;
  const MutexLock lock(mu_);
  assignment_->Lose();
  assignment_ = nullptr;
  state_ = State::kFresh;
  changed_.notify_all();
}

void FileSource::Stop() {
  const MutexLock lock(mu_);
  stopped_ = true;
  if (assignment_ != nullptr) assignment_->Stop();
  reader_->Wake();
  changed_.notify_all();
}

Status FileSource::Close() {
  Stop();
  return {};
}

ChangeSource::Progress FileSource::progress() const {
  const MutexLock lock(mu_);
  Progress progress;
  progress.records = records_done_;
  progress.partitions = assignment_ == nullptr ? 0 : 1;
  if (reader_->size() >= 0 && bytes_read_ > 0) {
    // The rest of the file in lines of the length seen so far.
    const double lines = static_cast<double>(lines_read_) * static_cast<double>(reader_->size() - bytes_read_) /
                         static_cast<double>(bytes_read_);
    progress.records_left = std::max<int64_t>(0, static_cast<int64_t>(lines)) + lines_read_ - records_done_;
  }
  return progress;
}

void FileSource::SetState(State state) {
  const MutexLock lock(mu_);
  state_ = state;
  changed_.notify_all();
}

bool FileSource::IsCurrent(const std::shared_ptr<Assignment>& assignment) const {
  const MutexLock lock(mu_);
  return assignment != nullptr && assignment == assignment_;
}

}  // namespace fensi::consumer
