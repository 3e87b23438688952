#include "consumer/file/line_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "consumer/codec/json_decoder.h"

namespace fensi::consumer {
namespace {

constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";

Status Broken(const char* why) {
  return InvalidArgument(std::string("the compressed data is damaged and cannot be unpacked (") +
                         (why == nullptr ? "no reason" : why) + "). Copy the file again from its origin");
}

Status NoMemory() {
  return Status(StatusCode::kInternal,
                "the file cannot be unpacked: out of memory. Free memory, then enter the same command again");
}

class GzipUnpacker final : public Unpacker {
 public:
  GzipUnpacker() {
    constexpr int kGzipOnly = 16;
    begun_ = inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK;
  }
  ~GzipUnpacker() override {
    if (begun_) inflateEnd(&stream_);
  }
  GzipUnpacker(const GzipUnpacker&) = delete;
  GzipUnpacker& operator=(const GzipUnpacker&) = delete;

  Result<size_t> Unpack(std::string_view* packed, char* out, size_t room) override {
    if (!begun_) return NoMemory();
    if (whole_ && !packed->empty()) {
      inflateReset(&stream_);
      whole_ = false;
    }
    const auto size = static_cast<uInt>(std::min<size_t>(packed->size(), std::numeric_limits<uInt>::max()));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed->data()));
    stream_.avail_in = size;
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(room);
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    packed->remove_prefix(size - stream_.avail_in);
    whole_ = outcome == Z_STREAM_END;
    const bool good = outcome == Z_OK || outcome == Z_STREAM_END || outcome == Z_BUF_ERROR;
    return good ? Result<size_t>(room - stream_.avail_out) : Broken(stream_.msg);
  }
  bool whole() const override { return whole_; }

 private:
  z_stream stream_{};
  bool begun_ = false;
  bool whole_ = false;
};

class ZstdUnpacker final : public Unpacker {
 public:
  Result<size_t> Unpack(std::string_view* packed, char* out, size_t room) override {
    if (stream_ == nullptr) return NoMemory();
    ZSTD_inBuffer in{packed->data(), packed->size(), 0};
    ZSTD_outBuffer made{out, room, 0};
    const size_t outcome = ZSTD_decompressStream(stream_.get(), &made, &in);
    if (ZSTD_isError(outcome) != 0) return Broken(ZSTD_getErrorName(outcome));
    packed->remove_prefix(in.pos);
    if (in.pos + made.pos > 0) whole_ = outcome == 0;
    return made.pos;
  }
  bool whole() const override { return whole_; }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };

  const std::unique_ptr<ZSTD_DStream, Free> stream_{ZSTD_createDStream()};
  bool whole_ = false;
};

}  // namespace

std::unique_ptr<Unpacker> Unpacker::For(std::string_view begin) {
  if (begin.starts_with(kGzip)) return std::make_unique<GzipUnpacker>();
  if (begin.starts_with(kZstd)) return std::make_unique<ZstdUnpacker>();
  return nullptr;
}

namespace {

constexpr size_t kBlockBytes = 1 << 20;
constexpr size_t kPackedBytes = 64 << 10;
constexpr size_t kMaxLineBytes = 64 << 20;

std::string ErrorText() { return std::strerror(errno); }  // NOLINT(concurrency-mt-unsafe)

StatusCode CodeOfRead(int error) {
  if (error == ENOENT || error == ENOTDIR) return StatusCode::kNotFound;
  if (error == EISDIR || error == EBADF) return StatusCode::kConfiguration;  // EBADF: standard input is closed
  return error == EACCES || error == EPERM ? StatusCode::kPermission : StatusCode::kUnavailable;
}

/// The program that unpacks what begins so and is not unpacked here, or null.
const char* OtherUnpacker(std::string_view begin) {
  constexpr std::string_view kXz =
      "\xfd"
      "7zXZ";
  if (begin.starts_with("BZh")) return "bzcat";
  return begin.starts_with(kXz.substr(0, Unpacker::kBytesToKnow)) ? "xzcat" : nullptr;
}

Status CannotRead(const std::string& path, int error) {
  const std::string words = "cannot read " + path + ": " + std::strerror(error);  // NOLINT(concurrency-mt-unsafe)
  return Status(
      CodeOfRead(error),
      error == EISDIR ? words + ". Name the files in it: '" + path + (path.ends_with('/') ? "*'" : "/*'") : words);
}

/// For a file that was opened: the end of a sentence.
std::string CannotGoOn(int error) {
  return std::string("cannot be read: ") + std::strerror(error) +  // NOLINT(concurrency-mt-unsafe)
         ". Check the disk of the file, then enter the same command again";
}

/// An open file, or the error number as a negative one. A pipe without a writer is waited for in Fill, which Wake ends,
/// and not here.
int OpenFile(const std::string& path, struct stat* info) {
  const int fd = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return -errno;
  const int error = fstat(fd, info) != 0 ? errno : (S_ISDIR(info->st_mode) ? EISDIR : 0);
  if (error == 0) return fd;
  close(fd);
  return -error;
}

}  // namespace

// Lines that were returned point into it: it is filled behind `end` only, and replaced when full.
struct LineReader::Block {
  explicit Block(size_t size) : capacity(size), bytes(new char[size + kJsonPadding]) {}
  const size_t capacity;
  size_t end = 0;
  const std::unique_ptr<char[]> bytes;
};

Result<std::unique_ptr<LineReader>> LineReader::Open(const std::string& path, AtEnd at_end,
                                                     FileReplacedCallback notice) {
  struct stat info {};
  const int fd = OpenFile(path, &info);
  if (fd < 0) return CannotRead(path, -fd);
  const bool is_file = S_ISREG(info.st_mode);
  const int wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_fd < 0 || (at_end == AtEnd::kFollows && !is_file)) {
    const Status status = wake_fd < 0
                              ? Status(StatusCode::kInternal, "cannot read " + path + ": eventfd: " + ErrorText() +
                                                                  ". Raise the limit of open files (ulimit -n)")
                              : Status(StatusCode::kConfiguration,
                                       path +
                                           " is not a regular file and cannot be followed. Remove --follow: fensi "
                                           "reads a pipe until its last writer closes it");
    close(fd);
    if (wake_fd >= 0) close(wake_fd);
    return status;
  }
  const int64_t modified = int64_t{info.st_mtim.tv_sec} * 1000 + info.st_mtim.tv_nsec / 1'000'000;
  const int64_t size = is_file && at_end == AtEnd::kEnds ? info.st_size : -1;
  return std::unique_ptr<LineReader>(new LineReader(path, {fd, wake_fd}, at_end, std::move(notice), size, modified));
}

Result<int64_t> LineReader::SizeOf(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return CannotRead(path, errno);
  if (S_ISDIR(info.st_mode)) return CannotRead(path, EISDIR);
  if (faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0) return CannotRead(path, errno);
  return S_ISREG(info.st_mode) ? int64_t{info.st_size} : -1;
}

LineReader::LineReader(std::string path, Descriptors descriptors, AtEnd at_end, FileReplacedCallback notice,
                       int64_t size, int64_t modified)
    : path_(std::move(path)),
      descriptors_(descriptors),
      when_at_end_(at_end),
      notice_(std::move(notice)),
      size_(size),
      modified_(modified),
      block_(std::make_shared<Block>(kBlockBytes)) {}

LineReader::~LineReader() {
  close(descriptors_.file);
  close(descriptors_.wake);
}

void LineReader::Wake() { eventfd_write(descriptors_.wake, 1); }

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
  if (!text_known_) return false;
  const char* bytes = block_->bytes.get();
  const void* found = std::memchr(bytes + scanned_, '\n', block_->end - scanned_);
  const bool last = found == nullptr && at_end_ && begin_ < block_->end;
  scanned_ = block_->end;
  if (found == nullptr && !last) return false;
  const size_t end = last ? block_->end : static_cast<size_t>(static_cast<const char*>(found) - bytes);
  const size_t next = last ? end : end + 1;
  line->text = std::string_view(bytes + begin_, end - begin_);
  line->returned = line->text.ends_with('\r');
  if (line->returned) line->text.remove_suffix(1);
  line->memory = block_;
  consumed_ += static_cast<int64_t>(next - begin_);
  begin_ = scanned_ = next;
  ++lines_;
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

/// kLine: it went on, look again.
LineReader::Outcome LineReader::Fill() {
  if (block_->end - begin_ > kMaxLineBytes) {
    return FailHere("the line has more than " + std::to_string(kMaxLineBytes >> 20) +
                    " MiB. Split the event, or remove the line");
  }
  MakeRoom();
  const bool from_memory = !packed_.empty() || more_to_unpack_;
  Outcome outcome = from_memory ? Outcome::kLine : Await();
  if (outcome == Outcome::kLine && (!packed_.empty() || more_to_unpack_)) outcome = Unpack();
  return outcome == Outcome::kLine && kind_known_ && !text_known_ ? LookAtText() : outcome;
}

LineReader::Outcome LineReader::Await() {
  pollfd ready[2] = {{descriptors_.file, POLLIN, 0}, {descriptors_.wake, POLLIN, 0}};
  if (poll(ready, 2, -1) < 0 && errno != EINTR) return Fail(StatusCode::kUnavailable, CannotGoOn(errno));
  if (ready[1].revents != 0) return Woken();
  return ready[0].revents == 0 ? Outcome::kLine : Read();  // without: interrupted
}

LineReader::Outcome LineReader::Woken() {
  eventfd_t wakes = 0;
  eventfd_read(descriptors_.wake, &wakes);
  return Outcome::kWoken;
}

LineReader::Outcome LineReader::Read() {
  if (unpacker_ != nullptr) packed_.resize(kPackedBytes);
  char* const place = unpacker_ == nullptr ? block_->bytes.get() + block_->end : packed_.data();
  const size_t room = unpacker_ == nullptr ? block_->capacity - block_->end : packed_.size();
  const ssize_t got = read(descriptors_.file, place, room);
  const int error = got < 0 ? errno : 0;
  if (unpacker_ != nullptr) packed_.resize(got < 0 ? 0 : static_cast<size_t>(got));
  if (error != 0 && error != EINTR && error != EAGAIN) {
    return Fail(CodeOfRead(error), CannotGoOn(error));
  }
  if (got == 0) return MeetEnd();
  if (got < 0) return Outcome::kLine;
  read_ += got;
  if (unpacker_ == nullptr) block_->end += static_cast<size_t>(got);
  return kind_known_ ? Outcome::kLine : LookAtBeginning(false);
}

LineReader::Outcome LineReader::Unpack() {
  const size_t room = block_->capacity - block_->end;
  std::string_view rest = packed_;
  const Result<size_t> made = unpacker_->Unpack(&rest, block_->bytes.get() + block_->end, room);
  if (!made.ok()) return FailHere(made.status().message());
  if (*made == 0 && !rest.empty() && rest.size() == packed_.size()) return FailHere(Broken("no progress").message());
  block_->end += *made;
  more_to_unpack_ = *made == room;
  packed_.erase(0, packed_.size() - rest.size());
  return Outcome::kLine;
}

LineReader::Outcome LineReader::MeetEnd() {
  if (!kind_known_) {
    const Outcome outcome = LookAtBeginning(true);
    if (outcome != Outcome::kLine) return outcome;
  }
  if (unpacker_ != nullptr && !unpacker_->whole()) {
    return FailHere(
        "the file is cut: its compressed data ends too early, and this line is not whole. Copy the file again");
  }
  if (when_at_end_ == AtEnd::kFollows) return AwaitMore();
  if (size_ >= 0 && BecameShorter())
    return FailHere(
        "another process made the file shorter while fensi read it. When the file is complete, enter the same command "
        "again");
  at_end_ = true;
  return Outcome::kLine;
}

LineReader::Outcome LineReader::AwaitMore() {
  if (successor_ != nullptr || BecameShorter()) {
    at_end_ = true;
    return Outcome::kLine;
  }
  const Status found = FindSuccessor();
  if (!found.ok() && !std::exchange(name_is_lost_, true) && notice_) notice_(found);
  if (found.ok()) name_is_lost_ = false;
  constexpr int kPauseMillis = 100;
  pollfd wake = {descriptors_.wake, POLLIN, 0};
  const bool woken = poll(&wake, 1, successor_ != nullptr ? 0 : kPauseMillis) > 0;
  return woken ? Woken() : Outcome::kLine;
}

/// Opens what has the name now, if that is another file. What cannot be opened, or a name that nobody has, may be so
/// for a moment of a rotation: this file is followed until there is another.
Status LineReader::FindSuccessor() {
  struct stat named {
  }, opened{};
  if (stat(path_.c_str(), &named) != 0) return CannotRead(path_, errno);
  if (fstat(descriptors_.file, &opened) != 0) return {};
  if (named.st_ino == opened.st_ino && named.st_dev == opened.st_dev) return {};
  FENSI_ASSIGN_OR_RETURN(successor_, Open(path_, AtEnd::kFollows, notice_));
  return {};
}

bool LineReader::BecameShorter() const {
  struct stat opened {};
  return fstat(descriptors_.file, &opened) == 0 && opened.st_size < read_;
}

LineReader::Outcome LineReader::LookAtBeginning(bool ends) {
  const std::string_view begin(block_->bytes.get(), block_->end);
  if (begin.size() < Unpacker::kBytesToKnow && !ends) return Outcome::kLine;
  kind_known_ = true;
  if (const char* program = OtherUnpacker(begin)) {
    return Fail(StatusCode::kConfiguration,
                "is compressed in a format that fensi cannot read. Unpack the file, and give '-' "
                "(standard input) as its path: " +
                    std::string(program) + " " + path_ + " | fensi …");
  }
  unpacker_ = Unpacker::For(begin);
  if (unpacker_ == nullptr) return Outcome::kLine;
  if (when_at_end_ == AtEnd::kFollows) {
    return Fail(StatusCode::kConfiguration,
                "is compressed and cannot be followed: remove --follow, or unpack the file");
  }
  packed_ = begin;
  block_->end = 0;
  return Outcome::kLine;
}

LineReader::Outcome LineReader::LookAtText() {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  constexpr size_t kMost = 4096;
  const std::string_view text(block_->bytes.get(), std::min(block_->end, kMost));
  if (text.size() < kByteOrderMark.size() && !at_end_) return Outcome::kLine;
  text_known_ = true;
  if (text.starts_with(kByteOrderMark)) begin_ = scanned_ = kByteOrderMark.size();
  const size_t zero = text.find('\0');
  if (zero == std::string_view::npos) return Outcome::kLine;
  return Fail(StatusCode::kConfiguration,
              "is no text in UTF-8: its byte " + std::to_string(zero + 1) +
                  " is zero, as in binary files and in UTF-16. Convert a file of UTF-16: iconv -f UTF-16 -t UTF-8 " +
                  path_ + " > NEW");
}

Status LineReader::Rewind() {
  if (read_ == 0) return {};
  if (lseek(descriptors_.file, 0, SEEK_SET) != 0) {
    return Status(StatusCode::kInvalidArgument, path_ +
                                                    " is a pipe, and fensi cannot read it again from its first line. "
                                                    "Write the data to a file, and name the file");
  }
  block_ = std::make_shared<Block>(kBlockBytes);
  unpacker_ = nullptr;
  packed_.clear();
  kind_known_ = text_known_ = at_end_ = more_to_unpack_ = false;
  begin_ = scanned_ = 0;
  read_ = lines_ = consumed_ = 0;
  return {};
}

LineReader::Outcome LineReader::Fail(StatusCode code, const std::string& what) {
  status_ = Status(code, path_ + " " + what);
  return Outcome::kFailed;
}

LineReader::Outcome LineReader::FailHere(const std::string& what) {
  status_ = Status(StatusCode::kConfiguration, path_ + ":" + std::to_string(lines_ + 1) + ": " + what);
  return Outcome::kFailed;
}

Status WithSourceRemedy(const Status& status) {
  return status.code() == StatusCode::kNotFound ? status.WithSuffix(". Correct the path in --source") : status;
}

}  // namespace fensi::consumer
