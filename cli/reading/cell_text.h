// Formats cells as lines for people and as JSON lines for programs. Pure.
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

/// A part of a row key as people type it: a time, a number in digits, text.
std::string PartText(const mapping::Index& index, const mapping::KnownPart& part);

/// As AppendCellJson, with "parts": the source values of the row key and the cell, numbers as numbers, "times": the
/// known times among them, and "inexact": those that are one of several values.
std::string DecodedCellJson(const mapping::Index& index, std::string_view row, const Cell& cell,
                            const std::vector<mapping::KnownPart>& known);

/// Adds "source" to such an object: its source row and cells, and whether they agree with the entry. Null: the entry
/// does not identify its row.
void AddSourceJson(const store::Row* source, std::optional<bool> agrees, std::string* object);

/// A line of one of these forms with all bytes above ASCII as \xNN.
std::string WithoutText(std::string line, bool json);

}  // namespace fensi::cli
