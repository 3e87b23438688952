#include "operations/verify/table_proof.h"

#include <utility>

#include "operations/console/console.h"

namespace fensi::operations {

TableProof::TableProof(const mapping::Index& index, std::string command, store::Store* store)
    : index_(index), command_(std::move(command)) {
  const indexer::IndexTable table(&index, store);
  const Result<std::optional<indexer::NotedTable>> seen = table.Look();
  why_ = seen.status();
  if (seen.ok() && *seen) table_ = (*seen)->identity;
  const Result<std::optional<indexer::NotedTable>> known = seen.ok() ? seen : table.Noted();
  mismatch_ = known.ok() && indexer::IsMismatch(*known);
  if (!mismatch_) return;
  Say(command_ + ": index " + index.name() + " is 'mismatch': table " + index.table() +
      " was dropped and created again, or truncated, and lost its entries. The state ends when a comparison of all "
      "rows finds no difference. If it finds differences, run 'fensi repair MAPPING " +
      index.name() + " --verify_first --execute'");
}

void TableProof::Note(const std::optional<store::TableIdentity>& table, store::Store* store) const {
  if (!table) return SayStays(why_.ok() ? "not all rows were compared since the table was created" : why_.message());
  const Result<bool> proved = indexer::IndexTable(&index_, store).NoteProved(*table);
  if (!proved.ok()) return SayStays(proved.status().message());
  if (!*proved) return;
  Say(command_ + ": table " + index_.table() + ", which was created again, agrees with its source: index " +
      index_.name() + " is no 'mismatch' any more");
}

void TableProof::SayStays(const std::string& why) const {
  if (!mismatch_) return;
  Say(command_ + ": index " + index_.name() + " stays 'mismatch' (" + why +
      "). To end that state, run 'fensi verify MAPPING " + index_.name() + "' over all rows until nothing differs");
}

}  // namespace fensi::operations
