#include "store/embedded/log_check.h"

#include <rocksdb/write_batch.h>

#include <array>
#include <cstdio>
#include <string_view>

namespace fensi::store {
namespace {

/// A batch begins with its sequence number, 8 bytes little-endian.
uint64_t SequenceOf(const rocksdb::WriteBatch& batch) {
  uint64_t sequence = 0;
  for (size_t i = sizeof sequence; i-- > 0;) {
    sequence = sequence << 8 | static_cast<unsigned char>(batch.Data()[i]);
  }
  return sequence;
}

Status Lacks(const std::string& logs, uint64_t first) {
  return DamagedFile(
      logs, "was cut, damaged or removed: write number " + std::to_string(first) + " was acknowledged and is missing");
}

}  // namespace

/// "… DIRECTORY/000007.log: dropping 42 bytes; Corruption: checksum mismatch"
void RecoveryLog::Logv(const char* format, va_list arguments) {
  if (!damaged_.empty()) return;
  std::array<char, 4096 + 512> room;  // a path and its words
  if (vsnprintf(room.data(), room.size(), format, arguments) < 0) return;
  const std::string_view line(room.data());
  const size_t end = line.find(": dropping ");
  if (end == std::string_view::npos) return;
  const size_t slash = line.rfind('/', end);
  damaged_ = line.substr(slash + 1, end - slash - 1);
}

void LogCheck::ColumnFamilyLogNumberMap(const std::map<uint32_t, uint64_t>& logs,
                                        const std::map<std::string, uint32_t>&) {
  if (!logs.empty()) wanted_log_ = logs.begin()->second;
}

rocksdb::WalFilter::WalProcessingOption LogCheck::LogRecordFound(unsigned long long log, const std::string&,
                                                                 const rocksdb::WriteBatch& batch, rocksdb::WriteBatch*,
                                                                 bool*) {
  const uint64_t count = batch.Count();
  if (count == 0) return WalProcessingOption::kContinueProcessing;
  const uint64_t sequence = SequenceOf(batch);
  if (!any_) {
    first_log_ = log;
    first_ = sequence;
  } else if (sequence != next_ && !gap_) {
    gap_ = true;
    before_gap_ = last_log_;
    after_gap_ = log;
    missing_ = next_;
  }
  any_ = true;
  last_log_ = log;
  next_ = sequence + count;
  return WalProcessingOption::kContinueProcessing;
}

Status LogCheck::Outcome(const std::string& directory, const std::optional<Acknowledged>& known, uint64_t last) const {
  // After a flush that the ledger does not know the manifest wants a later log.
  const bool as_known = known && wanted_log_ <= known->log;
  if (as_known && known->written > known->flushed) {
    const bool begins = any_ && first_log_ == known->log && first_ == known->flushed + 1;
    if (!begins) return Lacks(LogPath(directory, known->log), known->flushed + 1);
  }
  if (gap_) {
    const std::string before = LogPath(directory, before_gap_);
    return Lacks(before_gap_ == after_gap_ ? before : before + " or " + LogPath(directory, after_gap_), missing_);
  }
  if (known && last < known->written) {
    return Lacks(LogPath(directory, any_ ? last_log_ : known->log), last + 1);
  }
  return {};
}

}  // namespace fensi::store
