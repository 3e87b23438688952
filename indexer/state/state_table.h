// One state row of a source row, as it is read and written (indexer/state/layout.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "indexer/state/row_work.h"
#include "store/store.h"

namespace fensi::indexer {

/// The read that makes everything in `row` known; false: nothing is missing.
bool MissingState(const RowWork& row, bool row_units, store::GetRequest* request);

/// Takes an answer to MissingState's request. A cell that cannot be decoded is damage of its unit (UnitWork::damage),
/// which then is in doubt. Fails on a cell of a format that this version does not read.
Status TakeState(const store::Row& answer, bool row_units, RowWork* row);

/// One cell of the row's own state, whose family and qualifier are those of a row of its own. The same failure.
Status TakeStateCell(const Cell& cell, bool row_units, RowWork* row);

/// Adds one mutation with the dirty cells of the row, if any.
/// They expire `ttl_millis` after their versions, if that is given.
void AddStateMutation(const RowWork& row, bool row_units, std::optional<int64_t> ttl_millis,
                      std::vector<store::RowMutation>* mutations);

/// Qualifier of what the last look at a unit that is a row left.
std::string DoubtQualifier();

struct DoubtName {
  bool intent = false;
  std::string_view unit;  // UnitKey
};
/// Whose doubt a cell of kDoubtFamily is, by its qualifier. kInternal: it has none.
Result<DoubtName> ParseDoubtName(std::string_view qualifier);

/// Timestamp of the unit's state cells.
int64_t StateVersion(const Unit& unit);

/// The intent of the attempt with this nonce to write what `shown` gives of a unit, up to `version` (M8.1).
Cell IntentCell(const std::string& nonce, const Unit& unit, std::vector<Snapshot> shown, int64_t version);

}  // namespace fensi::indexer
