// What any way of keeping an index asks of an event first. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/change_source.h"
#include "indexer/plan/letter.h"
#include "mapping/index.h"

namespace fensi::indexer {

/// A delete of unknown kind without qualifier may have been one of a family.
bool MarksFamily(const Cell& cell);

/// Of what the index watches.
bool Touches(const mapping::Index& index, const Cell& cell);

/// Last millisecond at which a put is shown that has a TTL of its own; INT64_MAX: it has none, or never ends.
int64_t ExpiresByItself(const Cell& put);

/// Above kMaxSourceTime, and not lowered yet.
bool IsTooNew(const Cell& cell);

/// A cell that is too new as an index takes it. A delete deletes all that an index has. A put hides all versions
/// below it, as it does in HBase, and has no entry: it becomes a delete of its column, and `told` gets the reason.
Cell Lowered(const Cell& cell, size_t record, std::vector<Letter>* told);

/// False: of another table, and nothing to report.
bool Concerns(const mapping::Index& index, const consumer::Record& record);

/// Why a record cannot be applied by any index, or ok. What else an event must fulfil was asked when it was decoded
/// (consumer/codec/event_check.h). Cells that no index watches may be as they like.
Status CheckRecord(const mapping::Index& index, const consumer::Record& record);

}  // namespace fensi::indexer
