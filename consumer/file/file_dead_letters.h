// Appends dead letters as JSON lines to a file, for runs without Kafka.
//
//   {"time":…,"index":"…","reason":"…","topic":"…","partition":0,"offset":5,"row":"…","key":"…","original":"…"}
// Row and key are bytes with the \xNN escapes of the HBase shell; offset is a line (from 1) of a recorded file. An
// original that is a line of text is written as text: a JSON program gives it back byte for byte. Any other is
// "original_bytes", with escapes, followed by "event", if it is an event: the line that a recorded file would have.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "consumer/dead_letters.h"

namespace fensi::consumer {

/// The line for one dead letter, with its line break.
std::string DeadLetterLine(const DeadLetter& letter, int64_t time);

/// Thread-safe. The file is created with the first dead letter, so that a run without dead letters leaves none, and
/// only its owner may read it. If a crash cut the last line, a line break is added first. A dead letter that the file
/// has, except for its time, is not added again, because a second read of the stream finds the same errors. From
/// standard input it is the same dead letter wherever and for whatever reason it was refused: dead letters that are
/// replayed out of this very file must not make it grow without end. Processes that share a file take turns by a lock
/// of the file (flock), and each reads what the others added. Send and Flush wait at most three seconds for the lock;
/// after that they write without it, and a dead letter may stand in the file twice. A file that is no text is refused
/// with kConfiguration.
class FileDeadLetters final : public DeadLetterSink {
 public:
  FileDeadLetters(std::string path, Clock* clock);
  ~FileDeadLetters() override;

  /// Checks that the file can be written, or created, as far as possible without creating it.
  Status CheckPlace() const;
  Status Send(const DeadLetter& letter) override;
  /// Blocks for one write and one fdatasync if there is anything new.
  Status Flush() override;

 private:
  /// Digest of a line without its time; lines with equal digests are the same dead letter.
  struct Digest {
    uint64_t first = 0;
    uint64_t second = 0;
    bool operator==(const Digest&) const = default;
  };
  struct HashOfDigest {
    size_t operator()(const Digest& digest) const { return digest.first; }
  };

  struct Letter {
    std::string line;
    bool from_standard_input = false;
  };

  static Digest DigestOf(std::string_view line);
  static Digest ContentOf(std::string_view line);
  void Know(std::string_view line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool IsKnown(const Letter& letter) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status OpenFile() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status CheckIsText(int fd) const;
  Status ReadWhatOthersAdded() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status AddNewLetters() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status Write() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const std::string path_;
  Clock* const clock_;
  Mutex mu_;
  std::vector<Letter> letters_ ABSL_GUARDED_BY(mu_);  // not compared with the file yet
  size_t letter_bytes_ ABSL_GUARDED_BY(mu_) = 0;      // of letters_
  std::string pending_ ABSL_GUARDED_BY(mu_);          // to be written
  bool unsynced_ ABSL_GUARDED_BY(mu_) = false;
  int fd_ ABSL_GUARDED_BY(mu_) = -1;
  bool regular_ ABSL_GUARDED_BY(mu_) = false;                            // neither pipe nor device
  std::unordered_set<Digest, HashOfDigest> known_ ABSL_GUARDED_BY(mu_);  // dead letters that the file has
  int64_t read_to_ ABSL_GUARDED_BY(mu_) = 0;                             // known_ has the lines before this byte
};

}  // namespace fensi::consumer
