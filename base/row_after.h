// The row key that comes next in HBase's order. Pure.
#pragma once

#include <string>

namespace fensi {

/// The first row key after `row` that HBase can hold. Nothing lies between both. A key of kMaxRowBytes has none that is
/// one byte longer. Empty: no key comes after it.
std::string RowAfter(std::string row);

}  // namespace fensi
