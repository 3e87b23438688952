#include "consumer/file/file_source.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

namespace fensi::consumer {

namespace {

Status NoLongerRead(const std::string& path) { return {StatusCode::kFenced, "this run no longer reads " + path}; }

}  // namespace

class FileSource::FileAssignment final : public OnlyPartition {
 public:
  using OnlyPartition::OnlyPartition;
  Status Check() const override {
    if (lost_) return NoLongerRead(topic());
    if (stopped_) return Status(StatusCode::kCancelled, "fensi was asked to stop reading " + topic());
    return {};
  }
  void Lose() { lost_ = true; }
  void Stop() { stopped_ = true; }

 private:
  std::atomic<bool> lost_ = false;
  std::atomic<bool> stopped_ = false;
};

Result<std::unique_ptr<FileSource>> FileSource::Open(const std::vector<std::string>& paths,
                                                     const FileSourceOptions& options) {
  if (options.max_batch_records == 0)
    return Status(StatusCode::kInvalidArgument, "max_batch_records is 0, and it must be at least 1");
  if (paths.empty() || (options.follow && paths.size() > 1)) {
    return InvalidArgument(
        paths.empty() ? "there is no file to read: write --source=file:PATH"
                      : "--follow takes one file, and --source names several: start one 'fensi run' for each file");
  }
  int64_t size = 0;
  for (size_t i = 1; i < paths.size(); ++i) {
    const Result<int64_t> bytes = LineReader::SizeOf(paths[i]);
    if (!bytes.ok()) return WithSourceRemedy(bytes.status());
    size = size < 0 || *bytes < 0 ? -1 : size + *bytes;
  }
  std::unique_ptr<FileSource> source(new FileSource(paths, options, size));
  FENSI_RETURN_IF_ERROR(WithSourceRemedy(source->OpenFirst()));
  return source;
}

FileSource::FileSource(std::vector<std::string> paths, const FileSourceOptions& options, int64_t size_behind_first)
    : paths_(std::move(paths)), options_(options), size_behind_first_(size_behind_first) {}

FileSource::~FileSource() = default;

Status FileSource::OpenFirst() {
  const MutexLock lock(mu_);
  FENSI_RETURN_IF_ERROR(OpenFile());
  const bool known = lines_->size() >= 0 && size_behind_first_ >= 0;
  size_ = known ? lines_->size() + size_behind_first_ : -1;
  return {};
}

Status FileSource::OpenFile() {
  Result<std::unique_ptr<LineReader>> lines =
      LineReader::Open(path(), options_.follow ? AtEnd::kFollows : AtEnd::kEnds, options_.name_lost);
  FENSI_RETURN_IF_ERROR(lines.status());
  UseFile(std::move(*lines));
  return {};
}

void FileSource::UseFile(std::unique_ptr<LineReader> lines) {
  lines_ = lines.get();
  if (options_.csv) {
    records_ = std::make_unique<CsvRecords>(path(), std::move(lines), *options_.csv);
  } else {
    records_ = std::make_unique<JsonRecords>(path(), std::move(lines));
  }
}

/// What took the name is open already, and what was emptied is, too: nothing here depends on what the name leads to.
Status FileSource::FollowName() {
  std::unique_ptr<LineReader> next = lines_->TakeSuccessor();
  if (next == nullptr) return records_->Rewind();
  UseFile(std::move(next));
  return {};
}

Work FileSource::Next() {
  while (true) {
    MutexLock lock(mu_);
    changed_.wait(lock, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
      const bool free = state_ == State::kFresh || state_ == State::kReady;
      return stopped_ || state_ == State::kEnded || (free && !paused_);
    });
    if (state_ == State::kEnded || stopped_) return End{end_};
    if (state_ == State::kFresh) {
      state_ = State::kInHand;
      assignment_ = std::make_shared<FileAssignment>(path());
      return Opening{assignment_, std::nullopt, 0, std::numeric_limits<int64_t>::max()};
    }
    state_ = State::kReading;
    const std::shared_ptr<Assignment> assignment = assignment_;
    lock.unlock();
    if (std::optional<Work> work = ReadBatch(assignment)) return std::move(*work);
  }
}

Status FileSource::Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset) {
  {
    const MutexLock lock(mu_);
    if (!IsCurrent(assignment) || state_ != State::kInHand) {
      return NoLongerRead(assignment->topic());
    }
    state_ = State::kReading;
  }
  return FinishBegin(assignment, SkipTo(offset));
}

Status FileSource::SkipTo(int64_t offset) {
  if (offset <= records_->line()) FENSI_RETURN_IF_ERROR(records_->Rewind());
  Record skipped;
  RecordMemory memory;
  while (records_->line() + 1 < offset && records_->Next(true, &skipped, &memory) == LineReader::Outcome::kLine) {
  }
  return records_->status();
}

Status FileSource::FinishBegin(const std::shared_ptr<Assignment>& assignment, const Status& read) {
  const MutexLock lock(mu_);
  if (!IsCurrent(assignment)) {
    SetFresh();
    return NoLongerRead(assignment->topic());
  }
  state_ = State::kInHand;
  FENSI_RETURN_IF_ERROR(read);
  records_read_ = records_done_;
  state_ = State::kReady;
  changed_.notify_all();
  return {};
}

std::optional<Work> FileSource::ReadBatch(const std::shared_ptr<Assignment>& assignment) {
  Batch batch{assignment, {}, 0, nullptr};
  batch.records.reserve(std::min<size_t>(options_.max_batch_records, 1024));
  const auto memory = std::make_shared<RecordMemory>();
  size_t bytes = 0;
  LineReader::Outcome outcome = LineReader::Outcome::kLine;
  while (batch.records.size() < options_.max_batch_records && bytes < options_.max_batch_bytes) {
    // Reads only for the first record: a batch lies in one block, and a pipe's line does not wait for the next one.
    Record record;
    outcome = records_->Next(batch.records.empty(), &record, memory.get());
    if (outcome != LineReader::Outcome::kLine) break;
    bytes += record.value.size();
    batch.records.push_back(std::move(record));
  }
  GiveKeys(&batch, memory);
  return FinishBatch(std::move(batch), outcome);
}

/// A file has no keys; in a topic the key is the row.
void FileSource::GiveKeys(Batch* batch, const std::shared_ptr<RecordMemory>& memory) {
  for (const Record& record : batch->records) memory->keys += record.event.row;
  std::string_view rest = memory->keys;
  for (Record& record : batch->records) {
    record.key = rest.substr(0, record.event.row.size());
    rest.remove_prefix(record.key.size());
  }
  batch->memory = memory;
}

std::optional<Work> FileSource::FinishBatch(Batch batch, LineReader::Outcome outcome) {
  batch.next_offset = records_->line() + 1;
  const MutexLock lock(mu_);
  if (!IsCurrent(batch.assignment)) {  // given back while it was read
    SetFresh();
    return std::nullopt;
  }
  state_ = State::kInHand;
  records_read_ += static_cast<int64_t>(batch.records.size());
  bytes_read_ = bytes_before_ + lines_->consumed();
  if (!batch.records.empty() && !stopped_) return batch;
  if (outcome == LineReader::Outcome::kFailed) return Finish(records_->status());
  const bool another = options_.follow || file_ + 1 < paths_.size();
  if (stopped_ || (outcome == LineReader::Outcome::kEnd && !another)) return Finish({});
  if (outcome == LineReader::Outcome::kEnd) return NextFile();
  state_ = State::kReady;  // woken by a pause
  return std::nullopt;
}

std::optional<Work> FileSource::NextFile() {
  assignment_->Lose();
  assignment_ = nullptr;
  bytes_before_ = bytes_read_;
  if (!options_.follow) ++file_;
  const Status opened = options_.follow ? FollowName() : OpenFile();
  if (!opened.ok()) return Finish(opened);
  state_ = State::kFresh;
  changed_.notify_all();
  return std::nullopt;
}

Work FileSource::Finish(const Status& status) {
  end_ = status;
  state_ = State::kEnded;
  changed_.notify_all();
  return End{end_};
}

void FileSource::Done(const Batch& batch) {
  const MutexLock lock(mu_);
  if (!IsCurrent(batch.assignment) || state_ != State::kInHand) return;
  records_done_ += static_cast<int64_t>(batch.records.size());
  state_ = State::kReady;
  changed_.notify_all();
}

void FileSource::Abandon(const std::shared_ptr<Assignment>& assignment) {
  const MutexLock lock(mu_);
  if (!IsCurrent(assignment)) return;
  assignment_->Lose();
  assignment_ = nullptr;
  if (state_ != State::kReading) SetFresh();  // else whoever reads does so
}

void FileSource::SetFresh() {
  state_ = State::kFresh;
  changed_.notify_all();
}

void FileSource::SetPaused(bool paused) {
  const MutexLock lock(mu_);
  paused_ = paused && options_.follow;
  if (paused_) lines_->Wake();
  changed_.notify_all();
}

void FileSource::Stop() {
  const MutexLock lock(mu_);
  stopped_ = true;
  if (assignment_ != nullptr) assignment_->Stop();
  lines_->Wake();
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
  if (size_ >= 0 && bytes_read_ > 0) {
    // The rest of the files in records of the length seen so far.
    const double records = static_cast<double>(records_read_) * static_cast<double>(size_ - bytes_read_) /
                           static_cast<double>(bytes_read_);
    progress.records_left = std::max<int64_t>(0, static_cast<int64_t>(records)) + records_read_ - records_done_;
  }
  return progress;
}

StreamState FileSource::state() const {
  const MutexLock lock(mu_);
  StreamState state;
  state.at_rest = paused_ && state_ != State::kInHand && state_ != State::kReading;
  return state;
}

bool FileSource::IsCurrent(const std::shared_ptr<Assignment>& assignment) const {
  return assignment != nullptr && assignment == assignment_;
}

}  // namespace fensi::consumer
