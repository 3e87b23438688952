#include "indexer/meta_row.h"

#include <optional>

#include "base/bytes.h"

namespace fensi::indexer {

Result<std::string> ReadPause(const MetaRow& row) {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> cell, row.Read(kPauseColumn));
  return cell.has_value() ? cell->value : std::string();
}

std::string PauseText(const mapping::Index& index, const std::string& paused) {
  return "index " + index.name() + " is paused (" + Escape(paused) + "). To continue: 'fensi resume MAPPING " +
         index.name() + " … --execute'";
}

}  // namespace fensi::indexer
