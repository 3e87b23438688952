#include "indexer/requests/position.h"

#include <algorithm>
#include <sstream>

#include "base/bytes.h"
#include "base/random_name.h"
#include "indexer/remedies.h"

namespace fensi::indexer {
namespace {

std::string LostColumn(const std::string& key) { return "lost" + key.substr(key.find('/')); }
std::string KnownColumn(const std::string& key) { return "known" + key.substr(key.find('/')); }

}  // namespace

RequestsPosition::RequestsPosition(const mapping::Index* index, MetaRow row, int32_t partition)
    : index_(index), row_(row), key_("requests/" + std::to_string(partition)) {}

Result<consumer::RequestsStart> RequestsPosition::Open(const consumer::RequestLog& log) {
  for (int tries = 0; tries < MetaRow::kMostTries; ++tries) {
    Result<std::optional<Cell>> known = row_.Read(key_);
    FENSI_RETURN_IF_ERROR(known.status());
    known_ = std::move(*known);
    const Result<consumer::RequestsStart> start = StartIn(log);
    FENSI_RETURN_IF_ERROR(start.status());
    const Result<bool> claimed = Replace(*start);
    FENSI_RETURN_IF_ERROR(claimed.status());
    if (*claimed) return start_;
  }
  return row_.TooManyTries(key_);
}

Result<consumer::RequestsStart> RequestsPosition::StartIn(const consumer::RequestLog& log) const {
  consumer::RequestsStart start;
  if (!known_) return SkipTo(log.log_start, start.done);
  const Result<consumer::RequestsStart> said = ParseRequestsPosition(*index_, *known_);
  FENSI_RETURN_IF_ERROR(said.status());
  start = *said;
  const Result<bool> another = IsAnother(log);
  FENSI_RETURN_IF_ERROR(another.status());
  const bool held = start.done >= log.log_start && start.noted <= log.log_end;
  if (held && !*another) return start;
  // Another log, or one that was cut: what it holds may be applied twice, that is harmless.
  if (start.done == start.noted) return SkipTo(log.log_start, start.done);
  return Status(StatusCode::kGap, "index " + index_->name() + ", topic " + index_->requests_topic() + " partition " +
                                      key_.substr(key_.find('/') + 1) + ": requests " + std::to_string(start.done) +
                                      " to " + std::to_string(start.noted) + " may have begun, and the log holds " +
                                      std::to_string(log.log_start) + " to " + std::to_string(log.log_end) +
                                      (held ? " of another topic of this name" : " only") +
                                      ", so that they cannot be done to their end and their rows may be wrong. " +
                                      RebuildRemedy(*index_, "Build"));
}

/// Told before anything behind it is noted: no later position may hide that requests were lost.
Result<consumer::RequestsStart> RequestsPosition::SkipTo(int64_t log_start, int64_t done) const {
  if (known_ || done != log_start) {
    const std::string lost = std::to_string(done) + " " + std::to_string(log_start) + " " + RandomName();
    FENSI_RETURN_IF_ERROR(row_.Set(LostColumn(key_), lost));
  }
  return consumer::RequestsStart{log_start, log_start};
}

Result<bool> RequestsPosition::IsAnother(const consumer::RequestLog& log) const {
  if (log.committed) return false;
  const Result<std::optional<Cell>> known = row_.Read(KnownColumn(key_));
  FENSI_RETURN_IF_ERROR(known.status());
  return known->has_value();
}

Status RequestsPosition::Note(int64_t next_offset) {
  return ReplaceOwn({start_.done, std::max(start_.noted, next_offset)});
}

Status RequestsPosition::Done(int64_t next_offset) {
  return ReplaceOwn({next_offset, std::max(start_.noted, next_offset)});
}

Status RequestsPosition::ReplaceOwn(consumer::RequestsStart next) {
  const Result<bool> replaced = Replace(next);
  FENSI_RETURN_IF_ERROR(replaced.status());
  return *replaced ? Status() : Status(StatusCode::kFenced, "another owner noted requests of this partition");
}

Result<bool> RequestsPosition::Replace(consumer::RequestsStart next) {
  const std::string value = std::to_string(next.done) + " " + std::to_string(next.noted) + " " + RandomName();
  Result<Cell> now = row_.Replace(key_, known_, value);
  FENSI_RETURN_IF_ERROR(now.status());
  if (now->value != value) return false;
  known_ = std::move(*now);
  start_ = next;
  return true;
}

Status NoteCommittedRequests(const MetaRow& row, const consumer::Assignment& assignment) {
  const std::string column = "known/" + std::to_string(assignment.partition());
  const Result<std::optional<Cell>> known = row.Read(column);
  FENSI_RETURN_IF_ERROR(known.status());
  return known->has_value() ? Status() : row.Set(column, "committed");
}

Result<consumer::RequestsStart> ParseRequestsPosition(const mapping::Index& index, const Cell& cell) {
  std::istringstream words(cell.value);
  consumer::RequestsStart start;
  std::string name, more;
  const bool whole =
      words >> start.done >> start.noted >> name && !(words >> more) && start.done >= 0 && start.noted >= start.done;
  if (whole) return start;
  return Status(StatusCode::kInternal, "state table " + index.state_table() +
                                           ", row 'fensi', column i:" + cell.qualifier + " holds '" +
                                           Escape(cell.value) + "' where a position belongs");
}

}  // namespace fensi::indexer
