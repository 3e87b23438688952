#include "consumer/file/file_dead_letters.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "consumer/codec/json_text.h"

namespace fensi::consumer {
namespace {

// A file that cannot be written must not fill the memory: from this size Send writes.
constexpr size_t kMaxPendingBytes = 1 << 20;

Status WriteFailed(const std::string& path) {
  const bool refused = errno == EACCES || errno == EPERM || errno == EROFS;
  return Status(refused ? StatusCode::kPermission : StatusCode::kUnavailable,
                "cannot write dead letters to " + path + ": " + std::strerror(errno));  // NOLINT(concurrency-mt-unsafe)
}

/// Writes from the front and removes what was written, so that a retry goes on where the failure was.
bool WriteAll(int fd, std::string* bytes) {
  while (!bytes->empty()) {
    const ssize_t written = write(fd, bytes->data(), bytes->size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes->erase(0, static_cast<size_t>(written));
  }
  return true;
}

bool EndsInsideALine(int fd) {
  const off_t size = lseek(fd, 0, SEEK_END);
  char last = '\n';
  return size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

}  // namespace

std::string DeadLetterLine(const DeadLetter& letter, int64_t time) {
  std::string line = "{\"time\":" + std::to_string(time) + ",\"index\":";
  AppendJsonText(letter.index, &line);
  line += ",\"reason\":";
  AppendJsonText(letter.reason, &line);
  line += ",\"topic\":";
  AppendJsonText(letter.topic, &line);
  line += ",\"partition\":" + std::to_string(letter.partition) + ",\"offset\":" + std::to_string(letter.offset);
  line += ",\"row\":";
  AppendJsonBytes(letter.row, &line);
  line += ",\"key\":";
  AppendJsonBytes(letter.original_key, &line);
  line += ",\"original\":";
  AppendJsonBytes(letter.original, &line);
  return line + "}\n";
}

FileDeadLetters::FileDeadLetters(std::string path, Clock* clock) : path_(std::move(path)), clock_(clock) {}

FileDeadLetters::~FileDeadLetters() {
  if (fd_ >= 0) close(fd_);
}

Status FileDeadLetters::OpenFile() {
  if (fd_ >= 0) return {};
  fd_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd_ < 0) return WriteFailed(path_);
  if (EndsInsideALine(fd_)) pending_.insert(0, "\n");
  return {};
}

Status FileDeadLetters::Send(const DeadLetter& letter) {
  const std::lock_guard lock(mu_);
  if (pending_.size() >= kMaxPendingBytes) {
    FENSI_RETURN_IF_ERROR(OpenFile());
    unsynced_ = true;
    if (!WriteAll(fd_, &pending_)) return WriteFailed(path_);
  }
  pending_ += DeadLetterLine(letter, clock_->WallMillis());
  return {};
}

Status FileDeadLetters::Flush() {
  const std::lock_guard lock(mu_);
  if (pending_.empty() && !unsynced_) return {};
  FENSI_RETURN_IF_ERROR(OpenFile());
  unsynced_ = true;
  if (!WriteAll(fd_, &pending_) || fdatasync(fd_) != 0) return WriteFailed(path_);
  unsynced_ = false;
  return {};
}

}  // namespace fensi::consumer
