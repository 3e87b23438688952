// Sends the calls of one sequence, and finds the rows that HBase never accepts.
//
// A batch error of HBase names no row, and does not say whether a retry can help. If a call fails in a way that a row
// may have caused (thrift_call.h: Suspect), halves are sent until one row remains, and then, in one call, what was left
// on the way; only if that fails too it is divided throughout. A single row is refused only if it fails between two
// small writes that the same region accepts (server_check.h). Any other error is of the table or the servers, and
// returned: kUnavailable if it may pass. Blocks; used by one thread.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "store/hbase/calls/call_sequences.h"
#include "store/hbase/calls/call_sizer.h"
#include "store/hbase/wire/connection.h"
#include "store/store.h"

namespace fensi::store {

// The one conditional write, in one call of the gateway that is never repeated. Blocks; any thread that owns the
// connection.

/// The change was checked (check.h); `*done`: was the column as expected? kUnavailable means that the outcome is
/// unknown, kRejected is about the row or, with Suspect::kFamily, about the table.
Outcome CompareAndPutOn(Connection& connection, const std::string& table, const ConditionalPut& change, bool* done);

// Sends the calls of one sequence, and finds the rows that HBase never accepts.

/// A row that HBase refuses.
struct Refusal {
  RejectedRow row;
  bool named = false;  // HBase named its fault
};

class RowWriter {
 public:
  /// All arguments must outlive the writer.
  RowWriter(Connection& connection, const std::string& table, std::span<const RowMutation> rows, WriteKind kind,
            const std::function<Status()>& permission, CallSizer* pace)
      : connection_(connection), table_(table), rows_(rows), kind_(kind), permission_(permission), pace_(pace) {}

  /// Returns the rows that were refused; all others of the sequence were written. kRejected: the table lacks a family.
  Result<std::vector<Refusal>> Send(const CallSequence& sequence);

 private:
  Status SendOrSearch(std::span<const size_t> indexes);
  Status SearchOne(std::span<const size_t> bad, std::vector<size_t>* left);
  Status SendOrHalve(std::span<const size_t> indexes);
  Outcome SendOnce(std::span<const size_t> indexes);
  Status SendPuts(std::span<const size_t> indexes);
  Status SendSingleDeletes(std::span<const size_t> indexes);
  Status SendDeletes(std::span<const size_t> indexes);
  Status JudgeRow(size_t index);
  Status RequireWritable(const RowMutation& mutation);
  Status Granted() const { return permission_ ? permission_() : Status(); }
  bool MayPassLater(const RowMutation& mutation, Suspect suspect) const;
  void Refuse(size_t index, const Outcome& fault);
  std::string Doing(std::string_view what, size_t count) const;

  Connection& connection_;
  const std::string& table_;
  const std::span<const RowMutation> rows_;
  const WriteKind kind_;
  const std::function<Status()>& permission_;  // called before each call, unless it is empty
  CallSizer* const pace_;                      // in cells
  std::vector<Refusal> refused_;
};

}  // namespace fensi::store
