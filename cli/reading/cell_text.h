// Cells as lines for people and as JSON lines for programs. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "mapping/lookup.h"
#include "store/store.h"

namespace fensi::cli {

/// {"row":"b","column":"f1:a","ts":7,"value":"1"} LF; with `raw` also "type", and no value for delete markers.
void AppendCellJson(std::string_view row, const Cell& cell, bool raw, std::string* out);

/// What a part of a row key is: a time, a number in digits, text. As it is typed.
std::string PartText(const mapping::Index& index, const mapping::KnownPart& part);

/// As AppendCellJson, with "parts": what the row key and the cell were made of, numbers as numbers, "times":
/// those of them that are known to be times, and "inexact": those that are one of several values.
std::string DecodedCellJson(const mapping::Index& index, std::string_view row, const Cell& cell,
                            const std::vector<mapping::KnownPart>& known);

/// Puts "source" into such an object: the row it came from and its cells, and whether they agree with the entry. Null:
/// the entry does not tell its row.
void AddSourceJson(const store::Row* source, std::optional<bool> agrees, std::string* object);

/// A cell as a change: "put f1:from @2 = 'c'", "delete_family f1 @5".
std::string ChangeText(const Cell& cell);

/// A line of one of these forms with all bytes above ASCII as \xNN, too.
std::string WithoutText(std::string line, bool json);

}  // namespace fensi::cli
