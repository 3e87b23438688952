// Dead letters as JSON lines appended to a file, for runs without Kafka.
//
//   {"time":…,"index":"…","reason":"…","topic":"…","partition":0,"offset":5,"row":"…","key":"…","original":"…"}
// Row and key are bytes with the \xNN escapes of the HBase shell; offset is a line (from 1) of a recorded file. An
// original that is a line of text stands there as text: a JSON program gives it back byte for byte. Any other is
// "original_bytes", with escapes, and behind it, if it is an event, "event": the line that a recorded file would have.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "consumer/dead_letters.h"

namespace fensi::consumer {

/// The line for one letter, with its line break.
std::string DeadLetterLine(const DeadLetter& letter, int64_t time);

/// Thread-safe. The file is created with the first letter, so that a run without letters leaves none, and is for its
/// owner alone. A line that a crash cut is ended by a line break before the next letter. A letter that the file has,
/// but for its time, is not added again: who reads a stream once more finds the same faults. From standard input it is
/// the same letter wherever and for whatever reason it was refused: letters that are given back out of the file that
/// they would go to must not make it grow without end.
class FileDeadLetters final : public DeadLetterSink {
 public:
  FileDeadLetters(std::string path, Clock* clock);
  ~FileDeadLetters() override;

  /// Whether the file could be written, or made, as far as can be told without making it.
  Status CheckPlace() const;
  Status Send(const DeadLetter& letter) override;
  /// Blocks for one write and one fdatasync when there is anything new.
  Status Flush() override;

 private:
  /// Of a line but for its time; two that are equal are the same letter.
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
  Status ReadKnown() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status Write() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const std::string path_;
  Clock* const clock_;
  Mutex mu_;
  std::vector<Letter> letters_ ABSL_GUARDED_BY(mu_);  // not looked at yet
  size_t letter_bytes_ ABSL_GUARDED_BY(mu_) = 0;      // of letters_
  std::string pending_ ABSL_GUARDED_BY(mu_);          // to be written
  bool unsynced_ ABSL_GUARDED_BY(mu_) = false;
  int fd_ ABSL_GUARDED_BY(mu_) = -1;
  bool regular_ ABSL_GUARDED_BY(mu_) = false;                            // no pipe or device
  std::unordered_set<Digest, HashOfDigest> known_ ABSL_GUARDED_BY(mu_);  // letters that the file has
};

}  // namespace fensi::consumer
