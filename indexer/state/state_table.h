// Reads and writes the state row of a single source row (indexer/state/layout.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "indexer/state/layout.h"
#include "indexer/state/row_work.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

/// Makes the read for everything that `row` needs; false: nothing is missing.
bool MissingState(const RowWork& row, bool row_units, store::GetRequest* request);

/// Takes an answer to MissingState's request. A cell that cannot be decoded is damage of its unit (UnitWork::damage),
/// which then is ambiguous. Fails on a cell of a format that this version does not read.
Status TakeState(const store::Row& answer, bool row_units, RowWork* row);

/// Takes one cell of the row's own state. Fails like TakeState.
Status TakeStateCell(const Cell& cell, bool row_units, RowWork* row);

/// Adds one mutation with the dirty cells of the row, if any. They expire `ttl_millis` after their versions, if that is
/// given.
void AddStateMutation(const RowWork& row, bool row_units, std::optional<int64_t> ttl_millis,
                      std::vector<store::RowMutation>* mutations);

/// Qualifier of what the last read of a row unit left.
std::string DoubtQualifier();

struct DoubtName {
  bool intent = false;
  std::string_view unit;  // UnitKey
};
/// Parses the qualifier of a cell of kDoubtFamily: which unit it is of. kInternal: none.
Result<DoubtName> ParseDoubtName(std::string_view qualifier);

/// Timestamp of the unit's state cells.
int64_t StateVersion(const Unit& unit);

/// The intent of the attempt with this nonce to write the entries of `shown` of a unit, up to `version` (M8.1).
Cell IntentCell(const std::string& nonce, const Unit& unit, std::vector<Snapshot> shown, int64_t version);

/// Scans everything in a state table, cell by cell, whatever its layout (indexer/state/layout.h).
///
/// Blocks on the store; not thread-safe. Index and store outlive it.
struct StoredState {
  enum class Kind {
    kState,    // of a unit
    kDoubt,    // what the last read of a unit left, or the intent of an attempt
    kMarkers,  // on families, shared by column units; or a note that there are intents
  };
  Kind kind = Kind::kState;
  std::string row;        // source row
  std::string unit;       // UnitKey; empty: a unit that is a row, or kMarkers
  int64_t timestamp = 0;  // timestamp of the cell
  bool open = false;      // the source was to be read, or the cell cannot be decoded: the index may have something else
};

class StateScan {
 public:
  StateScan(const mapping::Index* index, store::Store* store, const StateLayout& layout);

  /// Reads the next states, as many as fit into memory together; false: there are no more. kConfiguration: a cell has a
  /// format that this version does not read.
  Result<bool> Next(std::vector<StoredState>* page);

 private:
  Status Take(const std::string& row, const Cell& cell, std::vector<StoredState>* page) const;
  Status TakeDoubt(const Cell& cell, StoredState* found) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  const StateLayout layout_;
  store::ScanRequest request_;
  bool more_ = true;
};

/// Removes all states, and nothing of the index itself. May be repeated.
Status RemoveStates(const mapping::Index& index, store::Store* store);

/// True if the state table has any state.
Result<bool> HasStates(const mapping::Index& index, store::Store* store);

}  // namespace fensi::indexer
