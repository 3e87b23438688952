// Lists as people write them in one word: "a,b,c". Pure.
#pragma once

#include <string>
#include <vector>

namespace fensi {

/// "a,b\,c" -> "a", "b,c"; empty parts are left out. A backslash before anything but a comma stands for itself.
std::vector<std::string> SplitList(const std::string& list);

}  // namespace fensi
