// Sends the calls of one lane, and finds the rows that HBase never takes.
//
// A batch error of HBase names no row, and says nothing on whether a repeat can help. So: of a call that fails for good
// halves are sent until one row remains, and then, in one call, what was left on the way; only if that fails too it is
// cut in halves throughout. A single row is rejected only when it fails again after its table was read through the same
// gateway (probe.h). Everything else is handed up as it is. Blocks; used by one thread.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "store/hbase/batches.h"
#include "store/hbase/connection.h"
#include "store/store.h"

namespace fensi::store {

class RowWriter {
 public:
  /// All arguments must outlive the writer.
  RowWriter(Connection& connection, const std::string& table, std::span<const RowMutation> rows, bool deletes,
            const std::function<Status()>& permission)
      : connection_(connection), table_(table), rows_(rows), deletes_(deletes), permission_(permission) {}

  /// The rows that were rejected; all others of the lane were written.
  Result<std::vector<RejectedRow>> Send(const Lane& lane);

 private:
  Status SendOrSearch(std::span<const size_t> indexes);
  Status SearchOne(std::span<const size_t> bad, Status fault, std::vector<size_t>* left);
  Status SendOrHalve(std::span<const size_t> indexes);
  Status SendOnce(std::span<const size_t> indexes);
  Status SendPuts(std::span<const size_t> indexes);
  Status SendDeletes(std::span<const size_t> indexes);
  Status JudgeRow(size_t index, const Status& fault);
  std::string Doing(std::string_view what, size_t count) const;

  Connection& connection_;
  const std::string& table_;
  const std::span<const RowMutation> rows_;
  const bool deletes_;
  const std::function<Status()>& permission_;  // asked before each call, unless it is empty
  std::vector<RejectedRow> rejected_;
};

}  // namespace fensi::store
