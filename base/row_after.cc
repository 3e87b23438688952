#include "base/row_after.h"

#include "base/hbase_limits.h"

namespace fensi {

std::string RowAfter(std::string row) {
  if (row.size() < kMaxRowBytes) return row + '\0';
  row.resize(kMaxRowBytes);
  while (!row.empty() && row.back() == '\xff') row.pop_back();
  if (!row.empty()) ++row.back();
  return row;
}

}  // namespace fensi
