// Formats cells as changes, for people. Pure.
#pragma once

#include <string>

#include "base/cell.h"

namespace fensi::operations {

/// A cell as a change: "put f1:from @2 = 'c'", "delete_family f1 @5".
std::string ChangeText(const Cell& cell);

}  // namespace fensi::operations
