#include "consumer/file/line_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "consumer/codec/json_decoder.h"

namespace fensi::consumer {
namespace {

constexpr size_t kBlockBytes = 1 << 20;
constexpr size_t kMaxLineBytes = 64 << 20;

std::string ErrorText() { return std::strerror(errno); }  // NOLINT(concurrency-mt-unsafe)

StatusCode CodeOfRead(int error) {
  if (error == ENOENT || error == ENOTDIR) return StatusCode::kNotFound;
  if (error == EISDIR || error == EBADF) return StatusCode::kConfiguration;  // EBADF: standard input is closed
  return error == EACCES || error == EPERM ? StatusCode::kPermission : StatusCode::kUnavailable;
}

/// The program that unpacks what begins so, or null.
const char* Unpacker(std::string_view begin) {
  constexpr std::pair<std::string_view, const char*> kKinds[] = {{"\x1f\x8b", "zcat"},
                                                                 {"BZh", "bzcat"},
                                                                 {"\xfd"
                                                                  "7zXZ",
                                                                  "xzcat"},
                                                                 {"\x28\xb5\x2f\xfd", "zstdcat"}};
  for (const auto& [magic, program] : kKinds) {
    if (begin.starts_with(magic)) return program;
  }
  return nullptr;
}

}  // namespace

// Lines that were returned point into it: it is filled behind `end` only, and replaced when full.
struct LineReader::Block {
  explicit Block(size_t size) : capacity(size), bytes(new char[size + kJsonPadding]) {}
  const size_t capacity;
  size_t end = 0;
  const std::unique_ptr<char[]> bytes;
};

Result<std::unique_ptr<LineReader>> LineReader::Open(const std::string& path) {
  // A pipe without a writer is waited for in Fill, which Wake ends, and not in open.
  const int fd = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info {};
  if (fd >= 0 && fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) errno = EISDIR;
  if (fd < 0 || S_ISDIR(info.st_mode)) {
    Status status(CodeOfRead(errno), "cannot read " + path + ": " + ErrorText());
    if (fd >= 0) close(fd);
    return status;
  }
  const int wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_fd < 0) {
    close(fd);
    return Status(StatusCode::kInternal, "eventfd: " + ErrorText());
  }
  return std::unique_ptr<LineReader>(new LineReader(path, fd, wake_fd, S_ISREG(info.st_mode) ? info.st_size : -1));
}

LineReader::LineReader(std::string path, int fd, int wake_fd, int64_t size)
    : path_(std::move(path)), fd_(fd), wake_fd_(wake_fd), size_(size), block_(std::make_shared<Block>(kBlockBytes)) {}

LineReader::~LineReader() {
  close(fd_);
  close(wake_fd_);
}

void LineReader::Wake() { eventfd_write(wake_fd_, 1); }

LineReader::Outcome LineReader::Next(bool may_read, Line* line) {
  for (;;) {
    if (TakeLine(line)) return Outcome::kLine;
    if (at_end_) return Outcome::kEnd;
    if (!may_read) return Outcome::kWoken;
    const Outcome outcome = Fill();
    if (outcome != Outcome::kLine) return outcome;
  }
}

bool LineReader::TakeLine(Line* line) {
  const char* bytes = block_->bytes.get();
  const void* found = std::memchr(bytes + scanned_, '\n', block_->end - scanned_);
  const bool last = found == nullptr && at_end_ && begin_ < block_->end;
  scanned_ = block_->end;
  if (found == nullptr && !last) return false;
  const size_t end = last ? block_->end : static_cast<size_t>(static_cast<const char*>(found) - bytes);
  const size_t next = last ? end : end + 1;
  line->text = std::string_view(bytes + begin_, end - begin_);
  if (line->text.ends_with('\r')) line->text.remove_suffix(1);
  line->memory = block_;
  consumed_ += static_cast<int64_t>(next - begin_);
  begin_ = scanned_ = next;
  return true;
}

void LineReader::MakeRoom() {
  if (block_->end < block_->capacity) return;
  const size_t rest = block_->end - begin_;
  const auto fresh = std::make_shared<Block>(std::max(kBlockBytes, 2 * rest));
  std::memcpy(fresh->bytes.get(), block_->bytes.get() + begin_, rest);
  fresh->end = scanned_ = rest;
  begin_ = 0;
  block_ = fresh;
}

LineReader::Outcome LineReader::Fill() {
  if (block_->end - begin_ > kMaxLineBytes) {
    return Fail(StatusCode::kInvalidArgument, "has a line of more than " + std::to_string(kMaxLineBytes) + " bytes");
  }
  MakeRoom();
  pollfd ready[2] = {{fd_, POLLIN, 0}, {wake_fd_, POLLIN, 0}};
  if (poll(ready, 2, -1) < 0 && errno != EINTR) return Fail(StatusCode::kUnavailable, "cannot be read: " + ErrorText());
  if (ready[1].revents != 0) return Outcome::kWoken;
  if (ready[0].revents == 0) return Outcome::kLine;  // interrupted: try again
  const ssize_t got = read(fd_, block_->bytes.get() + block_->end, block_->capacity - block_->end);
  if (got < 0 && errno != EINTR && errno != EAGAIN) {
    return Fail(CodeOfRead(errno), "cannot be read: " + ErrorText());
  }
  if (got == 0) at_end_ = true;
  if (got > 0) block_->end += static_cast<size_t>(got);
  return consumed_ == 0 ? CheckBeginning() : Outcome::kLine;
}

LineReader::Outcome LineReader::CheckBeginning() {
  const char* unpacker = Unpacker({block_->bytes.get() + begin_, block_->end - begin_});
  if (unpacker == nullptr) return Outcome::kLine;
  return Fail(StatusCode::kConfiguration, std::string("is compressed; unpack it on the way: ") + unpacker +
                                              " FILE | fensi …, and read standard input");
}

Status LineReader::Rewind() {
  if (consumed_ == 0 && begin_ == 0) return {};
  if (lseek(fd_, 0, SEEK_SET) != 0) {
    return Status(StatusCode::kInvalidArgument, path_ + " is a pipe: it cannot be read again from its first line");
  }
  block_ = std::make_shared<Block>(kBlockBytes);
  begin_ = scanned_ = 0;
  consumed_ = 0;
  at_end_ = false;
  return {};
}

LineReader::Outcome LineReader::Fail(StatusCode code, const std::string& what) {
  status_ = Status(code, path_ + " " + what);
  return Outcome::kFailed;
}

}  // namespace fensi::consumer
