// Builds the mutations of units for the state table, in its layout (indexer/state/layout.h). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "indexer/state/layout.h"
#include "indexer/state/row_work.h"
#include "store/store.h"

namespace fensi::indexer {

/// Mutations for two calls: the first must be acknowledged before the second is sent.
struct InOrder {
  std::vector<store::RowMutation> first, then;
};

class StateWrites {
 public:
  /// States expire `ttl_millis` after their versions, if that is given.
  StateWrites(StateLayout layout, bool row_units, std::optional<int64_t> ttl_millis)
      : layout_(layout), row_units_(row_units), ttl_millis_(ttl_millis) {}

  /// Puts of the dirty cells of those rows that are complete: all cells of a row in one mutation.
  InOrder States(const std::vector<RowWork*>& rows) const;

  /// Adds the intent of the attempt with this nonce to write the entries of `shown` of the unit, up to `version`
  /// (M8.1), and records it with the unit.
  void AddIntent(const std::string& nonce, std::vector<Snapshot> shown, int64_t version, UnitWork* work,
                 InOrder* puts) const;

  /// Adds the deletes of the row's intents that its states settle, and removes them from its units.
  void AddSettled(RowWork* row, InOrder* deletes) const;

  /// The error if the state table refuses one of these mutations, each of which is a `what`: without it a row would not
  /// be exact any more.
  Status Refusal(const std::string& table, const std::vector<store::RowMutation>& rows, const char* what,
                 const store::RejectedRow& rejected) const;

  /// The source row of a mutation of the state table; of a bucket the first row.
  const std::string& SourceRowOf(const store::RowMutation& mutation) const;

 private:
  InOrder InBuckets(const std::vector<RowWork*>& rows) const;
  std::vector<store::RowMutation> InRows(const std::vector<RowWork*>& rows) const;
  void AddApart(const Unit& unit, InOrder* puts) const;
  void AddSettledNote(const RowWork& row, InOrder* deletes) const;
  Cell WithTtl(Cell cell) const;

  const StateLayout layout_;
  const bool row_units_;
  const std::optional<int64_t> ttl_millis_;
};

}  // namespace fensi::indexer
