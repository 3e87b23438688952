// What any way of keeping an index asks of an event first. Pure.
#pragma once

#include "base/cell.h"
#include "base/status.h"
#include "consumer/change_source.h"
#include "mapping/index.h"

namespace fensi::indexer {

/// A delete of unknown kind without qualifier may have been one of a family.
bool MarksFamily(const Cell& cell);

/// False: of another table, and nothing to report.
bool Concerns(const mapping::Index& index, const consumer::Record& record);

/// Why a record cannot be applied by any index, or ok. What else an event must fulfil was asked when it was decoded
/// (consumer/codec/event_check.h). That a version can follow it is a question of indexes: events of other tables may be
/// as they like, and the letter names the row.
Status CheckRecord(const consumer::Record& record);

}  // namespace fensi::indexer
