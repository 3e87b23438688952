// A recorded change stream: a file (or standard input, "-") of JSON lines, as one partition that ends.
//
// The offset of an event is its line, from 1 as in messages and editors; blank lines have an offset but no record.
// Nothing is committed: each run begins at the first line, which is harmless because events may be applied again. A
// line that is no event is a Record whose `decoded` says why, with path and line (from 1). Lines are read and decoded
// on the thread that calls Next, one batch in hand at a time; Next blocks on a pipe until a whole line has come or Stop
// is called.
#pragma once

#include <memory>
#include <string>

#include "base/mutex.h"
#include "consumer/change_source.h"
#include "consumer/codec/json_decoder.h"
#include "consumer/file/line_reader.h"

namespace fensi::consumer {

struct FileSourceOptions {
  size_t max_batch_records = 5000;
  size_t max_batch_bytes = 1 << 20;  // of the lines; a longer line is a batch of its own
};

class FileSource final : public ChangeSource {
 public:
  static Result<std::unique_ptr<FileSource>> Open(const std::string& path, const FileSourceOptions& options);
  ~FileSource() override;

  Work Next() override;
  Status Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset) override;
  using ChangeSource::Done;
  void Done(const Batch& batch) override;
  void Abandon(const std::shared_ptr<Assignment>& assignment) override;
  void Stop() override;
  Status Close() override;
  Progress progress() const override;

 private:
  class FileAssignment;
  struct BatchMemory;
  enum class State { kFresh, kInHand, kReady, kEnded };

  FileSource(std::string path, const FileSourceOptions& options, std::unique_ptr<LineReader> reader);
  Work ReadBatch(const std::shared_ptr<Assignment>& assignment);
  void AppendRecord(const LineReader::Line& line, Batch* batch);
  static void GiveKeys(Batch* batch);
  Work FinishBatch(Batch batch, LineReader::Outcome outcome);
  void SetState(State state);
  bool IsCurrent(const std::shared_ptr<Assignment>& assignment) const;

  const std::string path_;
  const FileSourceOptions options_;

  // In the hands of whoever holds the partition.
  const std::unique_ptr<LineReader> reader_;
  JsonDecoder decoder_;
  int64_t line_ = 0;  // read last

  mutable Mutex mu_;
  Condition changed_;
  State state_ ABSL_GUARDED_BY(mu_) = State::kFresh;
  std::shared_ptr<FileAssignment> assignment_ ABSL_GUARDED_BY(mu_);
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
  Status end_ ABSL_GUARDED_BY(mu_);
  int64_t records_done_ ABSL_GUARDED_BY(mu_) = 0;
  int64_t lines_read_ ABSL_GUARDED_BY(mu_) = 0;
  int64_t bytes_read_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace fensi::consumer
