// How far the requests of one partition are applied, for one assignment (M12): requests and changes of a row must come
// in an order that every attempt repeats, so what may have begun is noted before its first write.
//
// Cell i:requests/N of the index's own row: "DONE NOTED NAME". Below offset DONE all is done, from there to NOTED some
// may have begun; NAME is random and of this note alone. A note replaces exactly the one that this assignment knows,
// and who opens replaces what he read, before anything else: so a note of the owner before him, which he did not see,
// comes to nothing however late it arrives, and an owner that another followed learns so before it writes.
//
// Cell i:lost/N: "DONE START NAME", when the log began at START and requests from DONE on had not been applied, or it
// was another log; NAME is random. It stands above the earlier ones; who published requests sees by a change that some
// may be among them.
//
// Blocks on the store; one thread at a time. Everything that is handed in outlives the object.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/change_source.h"
#include "indexer/meta_row.h"

namespace fensi::indexer {

/// Cell i:known/N: the group has committed for the requests of the partition, and Kafka forgets that together with the
/// topic. From now on a missing commit says that the log is another one.
Status NoteCommittedRequests(const MetaRow& row, const consumer::Assignment& assignment);

/// What the cell of a position says.
Result<consumer::RequestsStart> ParseRequestsPosition(const mapping::Index& index, const Cell& cell);

class RequestsPosition {
 public:
  RequestsPosition(const mapping::Index* index, MetaRow row, int32_t partition);

  /// Where the requests begin, from now on this assignment's to note. kGap: some may have begun that the log does not
  /// hold any more, so that they cannot be done to their end. Others that it lost are lost to who asked, and are no gap
  /// of the index.
  Result<consumer::RequestsStart> Open(const consumer::RequestLog& log);
  /// Before the first write of a batch that ends at `next_offset`. kFenced: another owner was here.
  Status Note(int64_t next_offset);
  /// All of it is acknowledged.
  Status Done(int64_t next_offset);

 private:
  /// By what is known of the cell.
  Result<consumer::RequestsStart> StartIn(const consumer::RequestLog& log) const;
  Result<consumer::RequestsStart> SkipTo(int64_t log_start, int64_t done) const;
  /// The topic was deleted and created again.
  Result<bool> IsAnother(const consumer::RequestLog& log) const;
  Status ReplaceOwn(consumer::RequestsStart next);
  /// False: the cell is another's by now.
  Result<bool> Replace(consumer::RequestsStart next);

  const mapping::Index* const index_;
  const MetaRow row_;
  const std::string key_;
  std::optional<Cell> known_;
  consumer::RequestsStart start_;
};

}  // namespace fensi::indexer
