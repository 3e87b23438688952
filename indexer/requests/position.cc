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

Result<consumer::RequestPosition> RequestsPosition::Open(const consumer::RequestLog& log) {
  for (int tries = 0; tries < MetaRow::kMostTries; ++tries) {
    FENSI_ASSIGN_OR_RETURN(known_, row_.Read(key_));
    FENSI_ASSIGN_OR_RETURN(const consumer::RequestPosition start, StartIn(log));
    // M12: replace the position that was read, or a late write of the owner before may replace ours.
    FENSI_ASSIGN_OR_RETURN(const bool claimed, Replace(start));
    if (claimed) return start_;
  }
  return row_.TooManyTries(key_);
}

Result<consumer::RequestPosition> RequestsPosition::StartIn(const consumer::RequestLog& log) const {
  consumer::RequestPosition start;
  if (!known_) return SkipTo(log.log_start, start.done);
  FENSI_ASSIGN_OR_RETURN(start, ParseRequestsPosition(*index_, *known_));
  FENSI_ASSIGN_OR_RETURN(const bool another, IsAnother(log));
  const bool held = start.done >= log.log_start && start.noted <= log.log_end;
  // M12: requests that may have begun are done again first.
  if (held && !another) return start;
  // Another log, or one that was cut: what it holds may be applied twice, that is harmless.
  if (start.done == start.noted) return SkipTo(log.log_start, start.done);
  return Status(
      StatusCode::kGap,
      "index " + index_->name() + ", topic " + index_->requests_topic() + " partition " +
          key_.substr(key_.find('/') + 1) + ": requests at offsets " + std::to_string(start.done) + " to " +
          std::to_string(start.noted) + " may have begun, and the log holds offsets " + std::to_string(log.log_start) +
          " to " + std::to_string(log.log_end) + (held ? " of another topic of this name" : " only") +
          ". fensi cannot finish these requests, so their rows may be wrong. " + RebuildRemedy(*index_, "Build"));
}

/// Recorded before any later position, which must not hide that requests were lost.
Result<consumer::RequestPosition> RequestsPosition::SkipTo(int64_t log_start, int64_t done) const {
  if (known_ || done != log_start) {
    const std::string lost = std::to_string(done) + " " + std::to_string(log_start) + " " + RandomName();
    FENSI_RETURN_IF_ERROR(row_.Set(LostColumn(key_), lost));
  }
  return consumer::RequestPosition{log_start, log_start};
}

Result<bool> RequestsPosition::IsAnother(const consumer::RequestLog& log) const {
  if (log.committed) return false;
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, row_.Read(KnownColumn(key_)));
  return known.has_value();
}

Status RequestsPosition::Note(int64_t next_offset) {
  return ReplaceOwn({start_.done, std::max(start_.noted, next_offset)});
}

Status RequestsPosition::Done(int64_t next_offset) {
  return ReplaceOwn({next_offset, std::max(start_.noted, next_offset)});
}

Status RequestsPosition::ReplaceOwn(consumer::RequestPosition next) {
  FENSI_ASSIGN_OR_RETURN(const bool replaced, Replace(next));
  return replaced ? Status() : Status(StatusCode::kFenced, "another daemon owns the requests of this partition now");
}

Result<bool> RequestsPosition::Replace(consumer::RequestPosition next) {
  const std::string value = std::to_string(next.done) + " " + std::to_string(next.noted) + " " + RandomName();
  FENSI_ASSIGN_OR_RETURN(Cell now, row_.Replace(key_, known_, value));
  // M12: the random name in the value shows whose record it is.
  if (now.value != value) return false;
  known_ = std::move(now);
  start_ = next;
  return true;
}

Status NoteCommittedRequests(const MetaRow& row, const consumer::Assignment& assignment) {
  const std::string column = "known/" + std::to_string(assignment.partition());
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, row.Read(column));
  return known.has_value() ? Status() : row.Set(column, "committed");
}

Result<consumer::RequestPosition> ParseRequestsPosition(const mapping::Index& index, const Cell& cell) {
  std::istringstream words(cell.value);
  consumer::RequestPosition start;
  std::string name, more;
  const bool whole =
      words >> start.done >> start.noted >> name && !(words >> more) && start.done >= 0 && start.noted >= start.done;
  if (whole) return start;
  return meta::UnknownValue(index.state_table(), "fensi", cell.qualifier, cell.value);
}

}  // namespace fensi::indexer
