// A recorded change stream: files (or standard input, "-") of JSON lines or of CSV, one after the other, each as a
// partition of its own that ends.
//
// The offset of an event is its line, from 1 as in messages and editors; blank lines have an offset but no record.
// Nothing is committed: each run begins at the first line, which is harmless because events may be applied again. An
// invalid record is a Record whose `decoded` has the reason, with path and line (from 1). The thread that calls Next
// reads and decodes, with one batch in flight at a time; Next blocks on a pipe until a whole line has arrived or Stop
// is called. A file that is followed has no end: the content of a new file of its name, or of the file after
// truncation, is a further partition. A name that is missing or unreadable is waited for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "consumer/change_source.h"
#include "consumer/file/csv.h"
#include "consumer/file/record_reader.h"

namespace fensi::consumer {

struct FileSourceOptions {
  size_t max_batch_records = 5000;
  size_t max_batch_bytes = 1 << 20;  // size of the lines; a longer line is a batch of its own
  std::optional<CsvOptions> csv;     // absent: JSON lines
  bool follow = false;               // one file, to which other programs write
  FileReplacedCallback name_lost;    // called if the name of the followed file is lost; the source waits for it
};

class FileSource final : public ChangeSource {
 public:
  /// Every file must exist. As LineReader::Open.
  static Result<std::unique_ptr<FileSource>> Open(const std::vector<std::string>& paths,
                                                  const FileSourceOptions& options);
  ~FileSource() override;

  Work Next() override;
  Status Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset) override;
  using ChangeSource::Done;
  void Done(const Batch& batch) override;
  void Abandon(const std::shared_ptr<Assignment>& assignment) override;
  /// Applies to a file that is followed.
  void SetPaused(bool paused) override;
  void Stop() override;
  Status Close() override;
  Progress progress() const override;
  StreamState state() const override;

 private:
  class FileAssignment;
  /// kReading: a thread uses records_, in Begin or for the next batch. No other thread uses records_ before it ends,
  /// even if the partition is given back meanwhile.
  enum class State { kFresh, kInHand, kReading, kReady, kEnded };

  FileSource(std::vector<std::string> paths, const FileSourceOptions& options, int64_t size_behind_first);
  Status OpenFirst();
  Status OpenFile() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void UseFile(std::unique_ptr<LineReader> lines) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status FollowName() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  /// Absent: try again, with another file or after a pause.
  std::optional<Work> ReadBatch(const std::shared_ptr<Assignment>& assignment);
  static void GiveKeys(Batch* batch, const std::shared_ptr<RecordMemory>& memory);
  std::optional<Work> FinishBatch(Batch batch, LineReader::Outcome outcome);
  Status SkipTo(int64_t offset);
  Status FinishBegin(const std::shared_ptr<Assignment>& assignment, const Status& read);
  std::optional<Work> NextFile() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Work Finish(const Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  const std::string& path() const { return paths_[file_]; }
  bool IsCurrent(const std::shared_ptr<Assignment>& assignment) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  /// Makes the file ready to be opened again.
  void SetFresh() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const std::vector<std::string> paths_;
  const FileSourceOptions options_;
  const int64_t size_behind_first_;  // of all files but the first; -1: unknown

  // Used by the holder of the partition.
  size_t file_ = 0;
  std::unique_ptr<RecordReader> records_;

  mutable Mutex mu_;
  Condition changed_;
  State state_ ABSL_GUARDED_BY(mu_) = State::kFresh;
  std::shared_ptr<FileAssignment> assignment_ ABSL_GUARDED_BY(mu_);
  LineReader* lines_ ABSL_GUARDED_BY(mu_) = nullptr;  // the lines of records_, for Stop
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
  bool paused_ ABSL_GUARDED_BY(mu_) = false;
  Status end_ ABSL_GUARDED_BY(mu_);
  int64_t size_ ABSL_GUARDED_BY(mu_) = -1;  // of all files; -1: unknown
  int64_t records_done_ ABSL_GUARDED_BY(mu_) = 0;
  int64_t records_read_ ABSL_GUARDED_BY(mu_) = 0;  // handed out; repetitions counted once
  int64_t bytes_before_ ABSL_GUARDED_BY(mu_) = 0;  // of files that have ended
  int64_t bytes_read_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace fensi::consumer
