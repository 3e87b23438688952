// Reads lines of a file or pipe in big blocks, without a copy of each line. Unpacks gzip and zstd.
//
// Not thread-safe, except that Wake may be called from any thread. Reads block; on a pipe a line is returned as soon as
// it is complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"

namespace fensi::consumer {

/// Unpacks a file piece by piece: gzip and zstd, also several streams one after the other.
///
/// Not thread-safe; never blocks. Memory is bounded, whatever the file contains.
class Unpacker {
 public:
  /// Bytes that identify the format of a file.
  static constexpr size_t kBytesToKnow = 4;
  /// The unpacker for a file with this beginning; null: not a supported format.
  static std::unique_ptr<Unpacker> For(std::string_view begin);

  virtual ~Unpacker() = default;
  /// Takes bytes from the front of `packed`, writes at most `room` unpacked bytes, and returns how many. Nothing taken
  /// and nothing written: more packed bytes are needed. kInvalidArgument: the bytes are corrupt.
  virtual Result<size_t> Unpack(std::string_view* packed, char* out, size_t room) = 0;
  /// True if the file may end here.
  virtual bool whole() const = 0;
};

/// For the error of a file that --source names: says to correct the path if the file is missing. Other errors stay.
Status WithSourceRemedy(const Status& status);

// Reads lines of a file or pipe.

/// The meaning of the end of a file.
enum class AtEnd {
  kEnds,
  kFollows,  // more may be written: it ends when another file has its name, or when it has become shorter
};

/// Called on the reading thread with the reason, once, when the name of a followed file leads to no readable file.
using FileReplacedCallback = std::function<void(const Status& why)>;

class LineReader {
 public:
  /// "-" is standard input. kNotFound, kPermission, kConfiguration (a directory; what cannot be followed) or
  /// kUnavailable with the path.
  static Result<std::unique_ptr<LineReader>> Open(const std::string& path, AtEnd at_end = AtEnd::kEnds,
                                                  FileReplacedCallback notice = {});
  /// Returns the size if the file can be opened; -1 for a pipe. Takes nothing out of a pipe.
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

  /// Reads the next line. kFailed also for binary content, and for formats that other programs unpack. With `may_read`
  /// false, kWoken if no whole line is in memory.
  Outcome Next(bool may_read, Line* line);
  /// The reason if the last Next failed.
  const Status& status() const { return status_; }
  /// The current Next, or the next one that would block, returns kWoken. Any thread.
  void Wake();
  /// Back to the first byte; kInvalidArgument for a pipe.
  Status Rewind();
  /// After the end of a followed file: the file that has its name now. Null: the file has become shorter.
  std::unique_ptr<LineReader> TakeSuccessor() { return std::move(successor_); }

  /// Bytes of the file, -1 for a pipe (any thread), and how many of them the returned lines took; for a packed file how
  /// many were read.
  int64_t size() const { return size_; }
  int64_t consumed() const { return unpacker_ == nullptr ? consumed_ : read_; }
  /// True if it ends only when another file has its name, or when it has become shorter.
  bool is_followed() const { return when_at_end_ == AtEnd::kFollows; }
  /// Time of the last write to the file, or of the creation of the pipe; milliseconds since the epoch.
  int64_t modified() const { return modified_; }

 private:
  struct Block;
  struct Descriptors {
    int file = -1;
    int wake = -1;
  };
  LineReader(std::string path, Descriptors descriptors, AtEnd at_end, FileReplacedCallback notice, int64_t size,
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
  const FileReplacedCallback notice_;
  const int64_t size_;
  const int64_t modified_;
  std::shared_ptr<Block> block_;
  std::unique_ptr<Unpacker> unpacker_;  // null: not packed
  std::string packed_;                  // read, not unpacked yet
  bool more_to_unpack_ = false;         // stopped for lack of room
  bool kind_known_ = false;             // whether it is packed
  bool text_known_ = false;             // its first bytes were checked
  size_t begin_ = 0;                    // of the bytes not yet returned
  size_t scanned_ = 0;                  // no line break between begin_ and here
  bool at_end_ = false;
  // Has the file's name now: first the rest of this file is read.
  std::unique_ptr<LineReader> successor_;
  bool name_is_lost_ = false;  // and that was reported
  int64_t read_ = 0;           // bytes of the file
  int64_t lines_ = 0;          // returned
  int64_t consumed_ = 0;
  Status status_;
};

}  // namespace fensi::consumer
