// What every change event must fulfil, whatever it was decoded from.
#pragma once

#include <string_view>

#include "base/cell.h"
#include "base/status.h"

namespace fensi::consumer {

/// Version of proto::ChangeEvent that this program writes and reads.
inline constexpr uint32_t kEventVersion = 1;

/// A table, a row that HBase can hold, at least one cell; each cell with a family that HBase can hold, a timestamp >= 0
/// and no value when it is a delete. kInvalidArgument names the cell.
/// Does not allocate when the event is good.
Status CheckEvent(const ChangeEvent& event);

/// The door of every form of event: the table gets its canonical name ("default:t" is "t"), and the event is checked.
Status TakeEvent(ChangeEvent* event);

/// The type behind HBase's code or behind its name; kInvalidArgument for what we do not know.
Result<CellType> CellTypeFromCode(int code);
Result<CellType> CellTypeFromName(std::string_view name);

}  // namespace fensi::consumer
