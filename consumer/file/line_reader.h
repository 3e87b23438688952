// Lines of a file or pipe, read in big blocks, without a copy of each line.
//
// Not thread-safe, except that Wake may come from any thread. Reads block; on a pipe a line is returned as soon as it
// is complete.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace fensi::consumer {

class LineReader {
 public:
  /// "-" is standard input. kNotFound, kPermission, kConfiguration (a directory) or kUnavailable with the path.
  static Result<std::unique_ptr<LineReader>> Open(const std::string& path);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  struct Line {
    std::string_view text;         // without its line break; kJsonPadding bytes behind it may be read
    std::shared_ptr<void> memory;  // owns the text
  };
  enum class Outcome { kLine, kEnd, kWoken, kFailed };

  /// The next line. kFailed also for compressed input. With `may_read` false it is kWoken when no whole line is in
  /// memory.
  Outcome Next(bool may_read, Line* line);
  /// Why the last Next failed.
  const Status& status() const { return status_; }
  /// From now on a Next that would read returns kWoken. Any thread.
  void Wake();
  /// Back to the first byte; kInvalidArgument for a pipe.
  Status Rewind();

  /// Bytes of the file, -1 on a pipe (any thread), and how many of them the lines returned so far took.
  int64_t size() const { return size_; }
  int64_t consumed() const { return consumed_; }

 private:
  struct Block;
  LineReader(std::string path, int fd, int wake_fd, int64_t size);
  bool TakeLine(Line* line);
  Outcome Fill();
  Outcome CheckBeginning();
  void MakeRoom();
  Outcome Fail(StatusCode code, const std::string& what);

  const std::string path_;
  const int fd_;
  const int wake_fd_;
  const int64_t size_;
  std::shared_ptr<Block> block_;
  size_t begin_ = 0;    // of the bytes not yet returned
  size_t scanned_ = 0;  // no line break between begin_ and here
  bool at_end_ = false;
  int64_t consumed_ = 0;
  Status status_;
};

}  // namespace fensi::consumer
