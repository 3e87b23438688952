// Writes cells in the form of KeyValueCodecWithTags (see cell_block.h), without tags: a time to live is sent to HBase
// as an attribute of its mutation. Pure.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/cell.h"

namespace fensi::hbase {

size_t WrittenBytes(std::string_view row, const Cell& cell);

/// Returns the end of the written bytes.
char* WriteCell(std::string_view row, const Cell& cell, char* to);

}  // namespace fensi::hbase
