#include "cli/steering/index_pause.h"

#include "base/clock.h"
#include "cli/access/position.h"
#include "cli/access/stores.h"
#include "cli/flags/flags.h"
#include "cli/mappings/mapping_files.h"
#include "cli/program/who.h"
#include "indexer/index_meta.h"
#include "indexer/pause_watch.h"

namespace fensi::cli {
Result<IndexPause> IndexPause::Open(const std::string& mapping_path, const std::string& index_name) {
  auto index = LoadIndex(mapping_path, index_name);
  FENSI_RETURN_IF_ERROR(index.status());
  Result<std::unique_ptr<store::Store>> store = FLAGS_execute ? OpenStoreToWrite() : OpenStoreToReadAny();
  FENSI_RETURN_IF_ERROR(store.status());
  IndexPause pause(std::move(*index), std::move(*store));
  FENSI_RETURN_IF_ERROR(pause.Read());
  return pause;
}

Status IndexPause::Read() {
  const auto begun = indexer::IndexMeta(index_.get(), store_.get()).Known();
  const bool unknown = begun.ok() ? !begun->has_value() : begun.status().code() == StatusCode::kNotFound;
  if (unknown) {
    return Status(StatusCode::kConfiguration,
                  "index " + index_->name() + " was not begun in this store: there is nothing that could be paused");
  }
  FENSI_RETURN_IF_ERROR(begun.status());
  Result<std::string> paused = indexer::ReadPause(indexer::MetaRow(index_.get(), store_.get()));
  FENSI_RETURN_IF_ERROR(paused.status());
  paused_ = std::move(*paused);
  return Status();
}

Status IndexPause::Pause(const std::string& why) const {
  const std::string words = WhoIsAtWork() + ", " + TimeText(SystemClock()->WallMillis()) + ": " + why;
  return indexer::MetaRow(index_.get(), store_.get()).Set(indexer::kPauseColumn, words);
}

Status IndexPause::Resume() const {
  return indexer::MetaRow(index_.get(), store_.get()).Set(indexer::kPauseColumn, "");
}

}  // namespace fensi::cli
