#include "operations/pause/index_pause.h"

#include "base/clock.h"
#include "base/who.h"
#include "indexer/index_meta.h"
#include "indexer/meta_row.h"
#include "operations/access/position.h"
#include "operations/mappings/mapping_files.h"

namespace fensi::operations {
Result<IndexPause> IndexPause::Open(const std::string& mapping_path, const std::string& index_name,
                                    const StoreOptions& options, bool writes) {
  auto index = LoadIndex(mapping_path, index_name, options.meta_table);
  FENSI_RETURN_IF_ERROR(index.status());
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<store::Store> store,
                         writes ? OpenStoreToWrite(options) : OpenStoreToReadAny(options));
  IndexPause pause(std::move(*index), std::move(store));
  FENSI_RETURN_IF_ERROR(pause.Read());
  return pause;
}

Status IndexPause::Read() {
  const auto begun = indexer::IndexMeta(index_.get(), store_.get()).Known();
  const bool unknown = begun.ok() ? !begun->has_value() : begun.status().code() == StatusCode::kNotFound;
  if (unknown) {
    return Status(
        StatusCode::kConfiguration,
        "index " + index_->name() +
            " has not begun in this store, because no 'fensi run' has started it here. Check --store, or start 'fensi "
            "run' of the index first");
  }
  FENSI_RETURN_IF_ERROR(begun.status());
  FENSI_ASSIGN_OR_RETURN(paused_, indexer::ReadPause(indexer::MetaRow(index_.get(), store_.get())));
  return Status();
}

Status IndexPause::Pause(const std::string& why) const {
  const std::string words = WhoIsAtWork() + ", " + TimeText(SystemClock()->WallMillis()) + ": " + why;
  return indexer::MetaRow(index_.get(), store_.get()).Set(indexer::kPauseColumn, words);
}

Status IndexPause::Resume() const {
  return indexer::MetaRow(index_.get(), store_.get()).Set(indexer::kPauseColumn, "");
}

}  // namespace fensi::operations
