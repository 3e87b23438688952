// Checks that all readers of proto::ChangeEvent make of a message's bytes. Pure, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/cell.h"
#include "base/status.h"

namespace fensi::proto {
class ChangeEvent;
}

namespace fensi::proto {
class Cell;
}

namespace fensi::consumer {

// Conditions that every change event must meet, whatever it was decoded from.

/// Version of proto::ChangeEvent that this program writes and reads.
inline constexpr uint32_t kEventVersion = 1;

/// A table has fewer families. A writer that knows more names none: then all count as loaded.
inline constexpr size_t kMostLoadedFamilies = 1'000;
/// True if HBase could have a family of this name.
bool IsFamilyOfHBase(std::string_view family);

/// Requires a table, a row that HBase can store, and at least one cell, or of a bulk load none; each cell with a family
/// that HBase can store, a timestamp >= 0, and no value if it is a delete. kInvalidArgument names the cell. Makes no
/// allocation for a good event.
Status CheckEvent(const ChangeEvent& event);

/// Normalizes and checks an event of any format: the table gets its canonical name ("default:t" is "t"), then
/// CheckEvent.
Status TakeEvent(ChangeEvent* event);

/// The type of HBase's code or name; kInvalidArgument for unknown ones.
Result<CellType> CellTypeFromCode(int code);
Result<CellType> CellTypeFromName(std::string_view name);
/// "0 bytes, and HBase takes 1 to 32767": why HBase cannot have the row.
std::string RowSizeText(std::string_view row);
/// kInvalidArgument: this program does not know the kind of a message; `what`: "event".
Status UnknownKind(const char* what, int kind);
/// kInvalidArgument: a message is part `number` of `count`, which cannot be.
Status InvalidPart(uint32_t number, uint32_t count);
/// kInvalidArgument: HBase's tags have types up to 255.
Status InvalidTagType(uint32_t type);

// Checks of messages.

/// What to do about a bad watermark.
inline constexpr char kOnlyCapture[] = "Let only 'fensi capture' write watermarks to this topic";

/// NotAMessage if the bytes cannot be parsed.
Status ParseMessage(std::string_view value, const char* expected, proto::ChangeEvent* message);

/// kInvalidArgument: the bytes are not `expected` ("a request").
Status NotAMessage(std::string_view value, const char* expected);

/// kInvalidArgument if this program does not read messages of this version; `what`: "the event".
Status CheckMessageFormat(const char* what, int64_t version);

/// kInvalidArgument if a message of kind MARK is also a change of a row: it has a table, a row, cells or parts.
Status CheckIsOnlyMark(bool only);
Status CheckIsOnlyMark(const proto::ChangeEvent& message);

/// kInvalidArgument if a message of `what` has more than `most` of something.
Status CheckCount(size_t count, size_t most, const char* what, const char* of);

/// kInvalidArgument if a message of `what` has another key than its row; `why`: a sentence that says what follows, or
/// what to do. A message without a row is a watermark, and its key must be empty.
Status CheckKey(std::string_view key, std::string_view row, const char* what, const char* why);

// Converts proto::Cell and Cell. Pure, any thread.

/// Moves the bytes out of `from`. kInvalidArgument: unknown type.
Status FillCell(proto::Cell* from, Cell* to);
void FillMessageCell(const Cell& from, proto::Cell* to);

}  // namespace fensi::consumer
