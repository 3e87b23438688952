// Dead letters as JSON lines appended to a file, for runs without Kafka.
//
//   {"time":…,"index":"…","reason":"…","topic":"…","partition":0,"offset":5,"row":"…","key":"…","original":"…"}
// Row, key and original are bytes with the \xNN escapes of the HBase shell.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "consumer/dead_letters.h"

namespace fensi::consumer {

/// The line for one letter, with its line break.
std::string DeadLetterLine(const DeadLetter& letter, int64_t time);

/// Thread-safe. The file is created with the first letter, so that a run without letters leaves none. A line that a
/// crash cut is ended by a line break before the next letter.
class FileDeadLetters final : public DeadLetterSink {
 public:
  FileDeadLetters(std::string path, Clock* clock);
  ~FileDeadLetters() override;

  Status Send(const DeadLetter& letter) override;
  /// Blocks for one write and one fdatasync when there is anything new.
  Status Flush() override;

 private:
  Status OpenFile();

  const std::string path_;
  Clock* const clock_;
  std::mutex mu_;
  std::string pending_;    // guarded by mu_
  bool unsynced_ = false;  // guarded by mu_
  int fd_ = -1;            // guarded by mu_
};

}  // namespace fensi::consumer
