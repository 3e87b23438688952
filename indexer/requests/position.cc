#include "indexer/requests/position.h"

#include <algorithm>
#include <sstream>

#include "base/bytes.h"
#include "base/random_name.h"

namespace fensi::indexer {
namespace {

std::string LostColumn(const std::string& key) { return "lost" + key.substr(key.find('/')); }

}  // namespace

RequestsPosition::RequestsPosition(const mapping::Index* index, MetaRow row, int32_t partition)
    : index_(index), row_(row), key_("requests/" + std::to_string(partition)) {}

Result<consumer::RequestsStart> RequestsPosition::Open(const consumer::RequestLog& log) {
  Result<std::optional<Cell>> known = row_.Read(key_);
  FENSI_RETURN_IF_ERROR(known.status());
  known_ = std::move(*known);
  start_ = {0, 0};
  if (!known_) return SkipTo(log.log_start);
  const Result<consumer::RequestsStart> said = ParseRequestsPosition(*index_, *known_);
  FENSI_RETURN_IF_ERROR(said.status());
  start_ = *said;
  const bool held = start_.done >= log.log_start && start_.noted <= log.log_end;
  if (held) return start_;
  // Another log, or one that was cut: what it holds may be applied twice, that is harmless.
  if (start_.done == start_.noted) return SkipTo(log.log_start);
  return Status(StatusCode::kGap, "index " + index_->name() + ", topic " + index_->requests_topic() + " partition " +
                                      key_.substr(key_.find('/') + 1) + ": requests " + std::to_string(start_.done) +
                                      " to " + std::to_string(start_.noted) + " may have begun, and the log holds " +
                                      std::to_string(log.log_start) + " to " + std::to_string(log.log_end) +
                                      " only, so that they cannot be done to their end and their rows may be wrong. "
                                      "Rebuild: drop " +
                                      index_->table() + " and " + index_->state_table() +
                                      ", create them again and replay");
}

/// Noted before anything behind it is: no later position may hide that requests were lost.
Result<consumer::RequestsStart> RequestsPosition::SkipTo(int64_t log_start) {
  if (start_.done != log_start) {
    const std::string lost = std::to_string(start_.done) + " " + std::to_string(log_start);
    FENSI_RETURN_IF_ERROR(row_.Set(LostColumn(key_), lost));
  }
  start_ = {log_start, log_start};
  return start_;
}

Status RequestsPosition::Note(int64_t next_offset) {
  return Replace({start_.done, std::max(start_.noted, next_offset)});
}

Status RequestsPosition::Done(int64_t next_offset) {
  return Replace({next_offset, std::max(start_.noted, next_offset)});
}

Status RequestsPosition::Replace(consumer::RequestsStart next) {
  const std::string value = std::to_string(next.done) + " " + std::to_string(next.noted) + " " + RandomName();
  Result<Cell> now = row_.Replace(key_, known_, value);
  FENSI_RETURN_IF_ERROR(now.status());
  if (now->value != value) {
    return Status(StatusCode::kFenced, "another owner noted requests of this partition");
  }
  known_ = std::move(*now);
  start_ = next;
  return {};
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
