#include "sweep/digest.h"

namespace fensi::sweep {

/// Of a shared cell only the presence counts.
Hash Digest::ContentHash(const mapping::Entry& cell) const {
  Hasher hasher;
  for (const std::string_view part : {cell.table, cell.row, cell.family, cell.qualifier}) hasher.Add(part);
  if (!index_->shared()) hasher.Add(cell.value);
  return hasher.hash();
}

}  // namespace fensi::sweep
