#include "consumer/file/file_dead_letters.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>

#include "consumer/codec/event_codec.h"
#include "consumer/codec/json_encoder.h"
#include "consumer/file/line_reader.h"

namespace fensi::consumer {
namespace {

// A file that cannot be written must not fill the memory: from this size Send writes.
constexpr size_t kMaxPendingBytes = 1 << 20;
constexpr char kStandardInput[] = "-";
constexpr std::string_view kKind = ",\"kind\":";
constexpr std::string_view kTopic = ",\"topic\":";

StatusCode CodeOf(int error) {
  if (error == EACCES || error == EPERM || error == EROFS) return StatusCode::kPermission;
  const bool no_place = error == ENOENT || error == ENOTDIR || error == EISDIR;
  return no_place ? StatusCode::kConfiguration : StatusCode::kInternal;
}

Status WriteFailed(const std::string& path, int error = errno) {
  return Status(CodeOf(error),
                "cannot write dead letters to " + path + ": " + std::strerror(error) +  // NOLINT(concurrency-mt-unsafe)
                    ". Check the disk and the rights of the file, or name another file with --dead_letters=file:PATH");
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

/// Holds the lock of a file (flock) while this object lives, unless the lock cannot be had: the file system has none,
/// or another process keeps it for longer than kLongestWait, because it was stopped.
class FileLock {
 public:
  explicit FileLock(int fd) : fd_(fd) {
    constexpr std::chrono::seconds kLongestWait(3);
    const auto deadline = std::chrono::steady_clock::now() + kLongestWait;
    while (!(held_ = flock(fd_, LOCK_EX | LOCK_NB) == 0) && (errno == EWOULDBLOCK || errno == EINTR) &&
           std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  ~FileLock() {
    if (held_) flock(fd_, LOCK_UN);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  bool held() const { return held_; }

 private:
  const int fd_;
  bool held_ = false;
};

/// A line of text, as JSON events are: what a person or a program feeds back.
bool IsLine(std::string_view bytes) {
  const auto is_control = [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; };
  return IsUtf8(bytes) && std::none_of(bytes.begin(), bytes.end(), is_control);
}

void AppendOriginal(const std::string& original, std::string* line) {
  if (IsLine(original)) {
    line->append(",\"original\":");
    return AppendJsonText(original, line);
  }
  line->append(",\"original_bytes\":");
  AppendJsonBytes(original, line);
  ChangeEvent event;
  EventCodec codec;
  if (!codec.Decode(original, &event).ok() || codec.part().count > 0) return;
  // As text: programs that read it as numbers would round a large timestamp.
  std::string text;
  AppendJsonEvent(event, &text);
  line->append(",\"event\":");
  AppendJsonText(text, line);
}

}  // namespace

std::string DeadLetterLine(const DeadLetter& letter, int64_t time) {
  std::string line = "{\"time\":" + std::to_string(time) + ",\"index\":";
  AppendJsonText(letter.index, &line);
  line += ",\"reason\":";
  AppendJsonText(letter.reason, &line);
  if (!letter.kind.empty()) {
    line += kKind;
    AppendJsonText(letter.kind, &line);
  }
  line += ",\"topic\":";
  AppendJsonText(letter.topic, &line);
  line += ",\"partition\":" + std::to_string(letter.partition) + ",\"offset\":" + std::to_string(letter.offset);
  line += ",\"row\":";
  AppendJsonBytes(letter.row, &line);
  line += ",\"key\":";
  AppendJsonBytes(letter.original_key, &line);
  AppendOriginal(letter.original, &line);
  return line + "}\n";
}

FileDeadLetters::FileDeadLetters(std::string path, Clock* clock) : path_(std::move(path)), clock_(clock) {}

FileDeadLetters::~FileDeadLetters() {
  if (fd_ >= 0) close(fd_);
}

Status FileDeadLetters::OpenFile() {
  if (fd_ >= 0) return {};
  const int fd = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  struct stat info {};
  if (fd < 0 || fstat(fd, &info) != 0) return WriteFailed(path_);
  regular_ = S_ISREG(info.st_mode);
  if (const Status is_text = regular_ ? CheckIsText(fd) : Status(); !is_text.ok()) {
    close(fd);
    return is_text;
  }
  fd_ = fd;
  return {};
}

/// Lines must not follow bytes that are none.
Status FileDeadLetters::CheckIsText(int fd) const {
  std::string begin(4096, '\0');
  const ssize_t got = pread(fd, begin.data(), begin.size(), 0);
  if (got < 0) return WriteFailed(path_);
  begin.resize(static_cast<size_t>(got));
  const char* is = Unpacker::For(begin) != nullptr         ? "compressed"
                   : begin.find('\0') != std::string::npos ? "no text in UTF-8"
                                                           : nullptr;
  if (is == nullptr) return {};
  return Status(StatusCode::kConfiguration,
                path_ + " is " + is +
                    ", and fensi writes dead letters as lines of text. Name another file with "
                    "--dead_letters=file:PATH");
}

Status FileDeadLetters::CheckPlace() const {
  struct stat info {};
  const bool there = stat(path_.c_str(), &info) == 0;
  if (!there && errno != ENOENT) return WriteFailed(path_);
  if (there && S_ISDIR(info.st_mode)) return WriteFailed(path_, EISDIR);
  const std::string folder = path_.find('/') == std::string::npos ? "." : path_.substr(0, path_.rfind('/') + 1);
  const int wanted = there ? R_OK | W_OK : W_OK | X_OK;
  const bool may = faccessat(AT_FDCWD, there ? path_.c_str() : folder.c_str(), wanted, AT_EACCESS) == 0;
  return may ? Status() : WriteFailed(path_);
}

/// Everything but the time, which is the first field, and the kind, which letters of before do not have. A quote inside
/// a JSON string is escaped: what is looked for is a field.
FileDeadLetters::Digest FileDeadLetters::DigestOf(std::string_view line) {
  std::string rest(line.substr(std::min(line.find(','), line.size())));
  const size_t kind = rest.find(kKind), topic = rest.find(kTopic);
  if (topic != std::string::npos && kind < topic) rest.erase(kind, topic - kind);
  while (rest.ends_with('\n')) rest.pop_back();
  const std::hash<std::string> hash;
  const uint64_t first = hash(rest);
  return {first, hash(rest + '\n')};
}

/// Index, row, key and original. A quote inside a JSON string is escaped: what is looked for is a field.
FileDeadLetters::Digest FileDeadLetters::ContentOf(std::string_view line) {
  const size_t reason = line.find(",\"reason\":"), row = line.find(",\"row\":");
  if (reason == std::string_view::npos || row == std::string_view::npos || row < reason) return DigestOf(line);
  return DigestOf(std::string(line.substr(0, reason)) + std::string(line.substr(row)));
}

void FileDeadLetters::Know(std::string_view line) {
  known_.insert(DigestOf(line));
  known_.insert(ContentOf(line));
}

bool FileDeadLetters::IsKnown(const Letter& letter) const {
  if (known_.contains(DigestOf(letter.line))) return true;
  return letter.from_standard_input && known_.contains(ContentOf(letter.line));
}

Status FileDeadLetters::Send(const DeadLetter& letter) {
  const MutexLock lock(mu_);
  if (letter_bytes_ >= kMaxPendingBytes) FENSI_RETURN_IF_ERROR(Write());
  letters_.push_back({DeadLetterLine(letter, clock_->WallMillis()), letter.topic == kStandardInput});
  letter_bytes_ += letters_.back().line.size();
  return {};
}

/// Reads whole lines, first those that the file had. The next process that writes ends a line that a crash has cut.
Status FileDeadLetters::ReadWhatOthersAdded() {
  std::string text, block(1 << 16, '\0');
  for (size_t searched = 0;;) {
    const ssize_t got = pread(fd_, block.data(), block.size(), read_to_ + static_cast<off_t>(text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return WriteFailed(path_);
    if (got == 0) return {};
    text.append(block, 0, static_cast<size_t>(got));
    size_t begin = 0;
    for (size_t end = 0; (end = text.find('\n', std::max(begin, searched))) != std::string::npos; begin = end + 1) {
      Know(std::string_view(text).substr(begin, end - begin));
    }
    text.erase(0, begin);
    read_to_ += static_cast<int64_t>(begin);
    searched = text.size();
  }
}

Status FileDeadLetters::Write() {
  FENSI_RETURN_IF_ERROR(OpenFile());
  if (!regular_) return AddNewLetters();
  const FileLock lock(fd_);
  FENSI_RETURN_IF_ERROR(ReadWhatOthersAdded());
  // If a write failed in the middle of a line, the rest of that line is pending: no line break belongs before it.
  if (pending_.empty() && EndsInsideALine(fd_)) pending_ = "\n";
  FENSI_RETURN_IF_ERROR(AddNewLetters());
  // Under the lock, the file ends with the lines of this process, which are known already.
  if (lock.held()) read_to_ = lseek(fd_, 0, SEEK_END);
  return {};
}

Status FileDeadLetters::AddNewLetters() {
  for (const Letter& letter : letters_) {
    if (regular_ && IsKnown(letter)) continue;
    if (regular_) Know(letter.line);
    pending_ += letter.line;
  }
  letters_.clear();
  letter_bytes_ = 0;
  unsynced_ = true;
  return WriteAll(fd_, &pending_) ? Status() : WriteFailed(path_);
}

Status FileDeadLetters::Flush() {
  const MutexLock lock(mu_);
  if (letters_.empty() && pending_.empty() && !unsynced_) return {};
  FENSI_RETURN_IF_ERROR(Write());
  // A pipe or a device keeps nothing, and need not.
  if (regular_ && fdatasync(fd_) != 0) return WriteFailed(path_);
  unsynced_ = false;
  return {};
}

}  // namespace fensi::consumer
