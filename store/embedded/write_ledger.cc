#include "store/embedded/write_ledger.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/bytes.h"

namespace fensi::store {
namespace {

constexpr char kName[] = "ACKNOWLEDGED";
constexpr std::string_view kMagic = "fensiAK1";
constexpr uint64_t kHashStart = 14695981039346656037U;

/// FNV-1a: any changed bit changes it.
uint64_t Hash(std::string_view bytes, uint64_t hash = kHashStart) {
  constexpr uint64_t kPrime = 1099511628211U;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * kPrime;
  return hash;
}

std::string Numbered(uint64_t number) {
  constexpr size_t kDigits = 6;
  const std::string digits = std::to_string(number);
  return std::string(kDigits - std::min(kDigits, digits.size()), '0') + digits;
}

Status DiskFault(const std::string& path, const char* doing) {
  const int fault = errno;
  return Status(fault == EACCES ? StatusCode::kPermission : StatusCode::kUnavailable,
                "embedded store: " + std::string(doing) + " " + path + ": " + std::strerror(fault) + kCheckDisk);
}

std::string LedgerBytes(const Acknowledged& known) {
  std::string bytes(kMagic);
  for (const uint64_t number :
       {known.written, known.flushed, known.log, known.manifest, known.manifest_bytes, known.manifest_hash}) {
    AppendBigEndian64(static_cast<int64_t>(number), &bytes);
  }
  AppendBigEndian64(static_cast<int64_t>(Hash(bytes)), &bytes);
  return bytes;
}

std::optional<Acknowledged> LedgerOf(std::string_view bytes) {
  Acknowledged known;
  if (bytes.size() != LedgerBytes(known).size()) return std::nullopt;
  size_t at = kMagic.size();
  for (uint64_t* number :
       {&known.written, &known.flushed, &known.log, &known.manifest, &known.manifest_bytes, &known.manifest_hash}) {
    *number = ReadBigEndian(bytes.substr(at, sizeof(uint64_t)));
    at += sizeof(uint64_t);
  }
  return LedgerBytes(known) == bytes ? std::optional(known) : std::nullopt;
}

/// Hashes bytes `begin` to `end` of a file, continuing `hash`. False: the file ends before.
Result<bool> HashFile(const std::string& path, uint64_t begin, uint64_t end, uint64_t* hash) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return DiskFault(path, "opening");
  std::array<char, 1 << 14> buffer;
  Status fault;
  ssize_t got = 1;
  while (begin < end && got > 0) {
    got = pread(fd, buffer.data(), std::min<uint64_t>(buffer.size(), end - begin), static_cast<off_t>(begin));
    if (got < 0) fault = DiskFault(path, "reading");
    if (got <= 0) break;
    *hash = Hash({buffer.data(), static_cast<size_t>(got)}, *hash);
    begin += static_cast<uint64_t>(got);
  }
  close(fd);
  FENSI_RETURN_IF_ERROR(fault);
  return begin == end;
}

/// Reads at most this many bytes; absent: no such file.
Result<std::optional<std::string>> ReadSmallFile(const std::string& path) {
  constexpr size_t kMostBytes = 200;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) return std::optional<std::string>();
  if (fd < 0) return DiskFault(path, "opening");
  std::string bytes(kMostBytes, '\0');
  const ssize_t got = read(fd, bytes.data(), bytes.size());
  const Status fault = got < 0 ? DiskFault(path, "reading") : Status();
  close(fd);
  FENSI_RETURN_IF_ERROR(fault);
  bytes.resize(static_cast<size_t>(got));
  return std::optional(bytes);
}

}  // namespace

std::string ManifestPath(const std::string& directory, uint64_t number) {
  return directory + "/MANIFEST-" + Numbered(number);
}

std::string LogPath(const std::string& directory, uint64_t number) {
  return directory + "/" + Numbered(number) + ".log";
}

Status DamagedFile(const std::string& path, const std::string& what) {
  return Status(StatusCode::kInternal, "embedded store: " + path + " " + what + kRestoreStore);
}

Result<uint64_t> CurrentManifest(const std::string& directory) {
  const std::string path = directory + "/CURRENT";
  FENSI_ASSIGN_OR_RETURN(const std::optional<std::string> text, ReadSmallFile(path));
  if (!text) return DamagedFile(path, "is missing");
  uint64_t number = 0;
  const size_t dash = text->find('-');
  if (dash != std::string::npos) std::from_chars(text->data() + dash + 1, text->data() + text->size(), number);
  const std::string manifest = ManifestPath(directory, number);
  if ("/" + *text != manifest.substr(directory.size()) + "\n") return DamagedFile(path, "is damaged");
  std::error_code fault;
  if (std::filesystem::exists(manifest, fault)) return number;
  return DamagedFile(manifest, "is missing, or " + path + ", which has its name, is damaged");
}

Result<std::optional<Acknowledged>> ReadLedger(const std::string& directory) {
  const std::string path = directory + "/" + kName;
  FENSI_ASSIGN_OR_RETURN(const std::optional<std::string> bytes, ReadSmallFile(path));
  if (!bytes) return std::optional<Acknowledged>();
  const std::optional<Acknowledged> known = LedgerOf(*bytes);
  if (!known) return DamagedFile(path, "is damaged");
  return known;
}

Status CheckManifest(const std::string& directory, const Acknowledged& known) {
  FENSI_ASSIGN_OR_RETURN(const uint64_t number, CurrentManifest(directory));
  // A process that died while it opened the database may have begun the next one.
  if (number != known.manifest) return {};
  const std::string path = ManifestPath(directory, number);
  uint64_t hash = kHashStart;
  FENSI_ASSIGN_OR_RETURN(const bool whole, HashFile(path, 0, known.manifest_bytes, &hash));
  return whole && hash == known.manifest_hash ? Status() : DamagedFile(path, "is damaged");
}

WriteLedger::~WriteLedger() {
  const MutexLock lock(mu_);
  if (fd_ >= 0) close(fd_);
}

Status WriteLedger::Begin(uint64_t written, uint64_t log) {
  const MutexLock lock(mu_);
  const std::string path = directory_ + "/" + kName;
  fd_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd_ < 0) return DiskFault(path, "opening");
  known_ = {.written = written, .flushed = written, .log = log};
  FENSI_RETURN_IF_ERROR(ReadManifest());
  return Save();
}

Status WriteLedger::NoteWritten(uint64_t written) {
  const MutexLock lock(mu_);
  FENSI_RETURN_IF_ERROR(failure_);
  if (written <= known_.written) return {};
  known_.written = written;
  return Save();
}

void WriteLedger::NoteFlushed(uint64_t flushed, uint64_t log) {
  const MutexLock lock(mu_);
  if (fd_ < 0 || !failure_.ok()) return;
  known_.flushed = std::max(known_.flushed, flushed);
  known_.log = std::max(known_.log, log);
  failure_ = ReadManifest();
  if (failure_.ok()) failure_ = Save();
}

void WriteLedger::NoteManifest() {
  const MutexLock lock(mu_);
  if (fd_ < 0 || !failure_.ok()) return;
  failure_ = ReadManifest();
  if (failure_.ok()) failure_ = Save();
}

Status WriteLedger::ReadManifest() {
  FENSI_ASSIGN_OR_RETURN(const uint64_t number, CurrentManifest(directory_));
  if (number != known_.manifest) {
    known_.manifest = number;
    known_.manifest_bytes = 0;
    known_.manifest_hash = kHashStart;
  }
  const std::string path = ManifestPath(directory_, number);
  std::error_code fault;
  const uint64_t bytes = std::filesystem::file_size(path, fault);
  if (fault)
    return Status(StatusCode::kUnavailable,
                  "embedded store: cannot read the size of " + path + ": " + fault.message() + kCheckDisk);
  FENSI_ASSIGN_OR_RETURN(const bool whole, HashFile(path, known_.manifest_bytes, bytes, &known_.manifest_hash));
  if (!whole) return DamagedFile(path, "has become shorter");
  known_.manifest_bytes = bytes;
  return {};
}

Status WriteLedger::Save() {
  const std::string bytes = LedgerBytes(known_);
  const ssize_t written = pwrite(fd_, bytes.data(), bytes.size(), 0);
  if (written == static_cast<ssize_t>(bytes.size())) return {};
  failure_ = DiskFault(directory_ + "/" + kName, "writing");
  return failure_;
}

}  // namespace fensi::store
