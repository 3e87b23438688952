// Records how far the requests of one partition are applied, for one assignment (M12). Requests and changes of a row
// must come in an order that every attempt repeats, so requests are recorded before their first write.
//
// Cell i:requests/N of the index's own row: "DONE NOTED NAME". Requests below offset DONE are done; requests from there
// to NOTED may have begun. NAME is random and unique to this record. A record replaces exactly the one that this
// assignment knows, and a new owner replaces the record that it read, before anything else. So a late record of the
// owner before has no effect, and an owner that another followed learns it before it writes.
//
// Cell i:lost/N: "DONE START NAME": the log began at START and requests from DONE on had not been applied, or it was
// another log; NAME is random. It is put above earlier ones; a change tells the publisher of requests that some of its
// requests may be lost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/change_source.h"
#include "indexer/meta_row.h"

namespace fensi::indexer {

/// Records in cell i:known/N that the group has committed for the requests of the partition. Kafka forgets the commit
/// together with the topic: from now on a missing commit means that the log is another one.
Status NoteCommittedRequests(const MetaRow& row, const consumer::Assignment& assignment);

/// Parses the cell of a position.
Result<consumer::RequestPosition> ParseRequestsPosition(const mapping::Index& index, const Cell& cell);

class RequestsPosition {
 public:
  RequestsPosition(const mapping::Index* index, MetaRow row, int32_t partition);

  /// Returns where the requests begin; from now on this assignment records them. kGap: requests that may have begun are
  /// not in the log any more, so they cannot be completed. Other lost requests are lost to their publisher, and are no
  /// gap of the index.
  Result<consumer::RequestPosition> Open(const consumer::RequestLog& log);
  /// Records a batch that ends at `next_offset`, before its first write. kFenced: another owner was here.
  Status Note(int64_t next_offset);
  /// Records that all writes of the batch are acknowledged.
  Status Done(int64_t next_offset);

 private:
  /// Where to begin, given the known cell.
  Result<consumer::RequestPosition> StartIn(const consumer::RequestLog& log) const;
  Result<consumer::RequestPosition> SkipTo(int64_t log_start, int64_t done) const;
  /// True if the topic was deleted and created again.
  Result<bool> IsAnother(const consumer::RequestLog& log) const;
  Status ReplaceOwn(consumer::RequestPosition next);
  /// False: another owner has replaced the cell.
  Result<bool> Replace(consumer::RequestPosition next);

  const mapping::Index* const index_;
  const MetaRow row_;
  const std::string key_;
  std::optional<Cell> known_;
  consumer::RequestPosition start_;
};

}  // namespace fensi::indexer
