// Sends the calls of one sequence, and finds the rows that HBase never takes.
//
// A batch error of HBase names no row, and says nothing on whether a repeat can help. So: when a call fails in a way
// that a row may be guilty of (thrift_call.h: Suspect), halves are sent until one row remains, and then, in one call,
// what was left on the way; only if that fails too it is cut in halves throughout. A single row is refused only when it
// fails between two small writes that the same region takes (probe.h). Everything else is the table's trouble or the
// servers', and handed up: kUnavailable when it may pass. Blocks; used by one thread.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "store/hbase/call_pace.h"
#include "store/hbase/call_sequences.h"
#include "store/hbase/connection.h"
#include "store/store.h"

namespace fensi::store {

/// A row that HBase refuses.
struct Refusal {
  RejectedRow row;
  bool named = false;  // HBase told what is wrong with it
};

class RowWriter {
 public:
  /// All arguments must outlive the writer.
  RowWriter(Connection& connection, const std::string& table, std::span<const RowMutation> rows, WriteKind kind,
            const std::function<Status()>& permission, CallPace* pace)
      : connection_(connection), table_(table), rows_(rows), kind_(kind), permission_(permission), pace_(pace) {}

  /// The rows that were refused; all others of the sequence were written. kRejected: the table lacks a family.
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
  const std::function<Status()>& permission_;  // asked before each call, unless it is empty
  CallPace* const pace_;                       // in cells
  std::vector<Refusal> refused_;
};

}  // namespace fensi::store
