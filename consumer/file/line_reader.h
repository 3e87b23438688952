// Lines of a file or pipe, read in big blocks, without a copy of each line. What gzip or zstd packed is unpacked.
//
// Not thread-safe, except that Wake may come from any thread. Reads block; on a pipe a line is returned as soon as it
// is complete.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "consumer/file/unpacker.h"

namespace fensi::consumer {

/// What the end of a file means.
enum class AtEnd {
  kEnds,
  kFollows,  // more may be written: it ends when another file has its name, or when it has become shorter
};

/// Told why the name of a followed file leads to none that can be read, once until it does; on the thread that reads.
using NameNotice = std::function<void(const Status& why)>;

class LineReader {
 public:
  /// "-" is standard input. kNotFound, kPermission, kConfiguration (a directory; what cannot be followed) or
  /// kUnavailable with the path.
  static Result<std::unique_ptr<LineReader>> Open(const std::string& path, AtEnd at_end = AtEnd::kEnds,
                                                  NameNotice notice = {});
  /// Could it be opened? Its bytes, -1 of a pipe. Takes nothing out of a pipe.
  static Result<int64_t> SizeOf(const std::string& path);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  struct Line {
    std::string_view text;         // without its line break; kJsonPadding bytes behind it may be read
    std::shared_ptr<void> memory;  // owns the text
    bool returned = false;         // its line break was CR LF
  };
  enum class Outcome { kLine, kEnd, kWoken, kFailed };

  /// The next line. kFailed also for what is no text, and for what was packed by other programs. With `may_read` false
  /// it is kWoken when no whole line is in memory.
  Outcome Next(bool may_read, Line* line);
  /// Why the last Next failed.
  const Status& status() const { return status_; }
  /// The Next that reads now, or the next one that would, returns kWoken. Any thread.
  void Wake();
  /// Back to the first byte; kInvalidArgument for a pipe.
  Status Rewind();
  /// After the end of a followed file: the one that has its name now. Null: it has become shorter.
  std::unique_ptr<LineReader> TakeSuccessor() { return std::move(successor_); }

  /// Bytes of the file, -1 on a pipe (any thread), and how many of them the lines returned so far took; of a packed one
  /// how many were read.
  int64_t size() const { return size_; }
  int64_t consumed() const { return unpacker_ == nullptr ? consumed_ : read_; }
  /// It ends only when another file has its name, or when it has become shorter.
  bool is_followed() const { return when_at_end_ == AtEnd::kFollows; }
  /// gzip or zstd made it. Known when the first line, or the end, was returned.
  bool is_packed() const { return unpacker_ != nullptr; }
  /// When the file was written last, or the pipe made; milliseconds since the epoch.
  int64_t modified() const { return modified_; }

 private:
  struct Block;
  struct Descriptors {
    int file = -1;
    int wake = -1;
  };
  LineReader(std::string path, Descriptors descriptors, AtEnd at_end, NameNotice notice, int64_t size,
             int64_t modified);
  bool TakeLine(Line* line);
  Outcome Fill();
  Outcome Await();
  Outcome Woken();
  Outcome Read();
  Outcome Unpack();
  Outcome MeetEnd();
  Outcome AwaitMore();
  Status FindSuccessor();
  bool BecameShorter() const;
  Outcome LookAtBeginning(bool ends);
  Outcome LookAtText();
  void MakeRoom();
  Outcome Fail(StatusCode code, const std::string& what);
  Outcome FailHere(const std::string& what);

  const std::string path_;
  const Descriptors descriptors_;
  const AtEnd when_at_end_;
  const NameNotice notice_;
  const int64_t size_;
  const int64_t modified_;
  std::shared_ptr<Block> block_;
  std::unique_ptr<Unpacker> unpacker_;  // null: the file holds what it says
  std::string packed_;                  // read, and not unpacked
  bool more_to_unpack_ = false;         // for want of room
  bool kind_known_ = false;             // whether it is packed
  bool text_known_ = false;             // its first bytes were looked at
  size_t begin_ = 0;                    // of the bytes not yet returned
  size_t scanned_ = 0;                  // no line break between begin_ and here
  bool at_end_ = false;
  // Has the name: what was written before it had, is read first.
  std::unique_ptr<LineReader> successor_;
  bool name_is_lost_ = false;  // and that was told
  int64_t read_ = 0;           // bytes of the file
  int64_t lines_ = 0;          // returned
  int64_t consumed_ = 0;
  Status status_;
};

}  // namespace fensi::consumer
