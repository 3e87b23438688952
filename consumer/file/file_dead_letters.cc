#include "consumer/file/file_dead_letters.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>

#include "consumer/codec/event_codec.h"
#include "consumer/codec/json_encoder.h"
#include "consumer/codec/json_text.h"
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
                "cannot write dead letters to " + path + ": " + std::strerror(error));  // NOLINT(concurrency-mt-unsafe)
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
  fd_ = fd;
  regular_ = S_ISREG(info.st_mode);
  if (!regular_) return {};
  FENSI_RETURN_IF_ERROR(ReadKnown());
  if (EndsInsideALine(fd_)) pending_.insert(0, "\n");
  return {};
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

Status FileDeadLetters::ReadKnown() {
  Result<std::unique_ptr<LineReader>> reader = LineReader::Open(path_);
  if (!reader.ok()) return reader.status();
  LineReader::Line line;
  while ((*reader)->Next(/*may_read=*/true, &line) == LineReader::Outcome::kLine) Know(line.text);
  if ((*reader)->is_packed()) {
    return Status(StatusCode::kConfiguration,
                  path_ + " is compressed: dead letters are lines of text; name another file");
  }
  const Status& read = (*reader)->status();
  // What has lines that are too long is no file of ours: then all letters are new.
  return read.code() == StatusCode::kInvalidArgument ? Status() : read;
}

Status FileDeadLetters::Send(const DeadLetter& letter) {
  const MutexLock lock(mu_);
  if (letter_bytes_ >= kMaxPendingBytes) FENSI_RETURN_IF_ERROR(Write());
  letters_.push_back({DeadLetterLine(letter, clock_->WallMillis()), letter.topic == kStandardInput});
  letter_bytes_ += letters_.back().line.size();
  return {};
}

Status FileDeadLetters::Write() {
  FENSI_RETURN_IF_ERROR(OpenFile());
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
