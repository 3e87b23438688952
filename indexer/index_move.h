// What an index says of itself while it is moved from states to a mirror (indexer/migration.h).
//
// From Begin to Finish column `scheme` says so, and who moves it; every version of fensi refuses to run the index: this
// one by the word, older ones by the definition. Each of the two is one put. Who begins takes over from whoever began
// before: of two, the first does nothing more. Blocks on the store; one thread. Index, store and clock outlive it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "indexer/index_meta.h"
#include "indexer/index_scheme.h"
#include "indexer/meta_row.h"
#include "indexer/state/layout.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

enum class MoveStage { kNotBegun, kBegun, kMoved };

class IndexMove {
 public:
  IndexMove(const mapping::Index* index, store::Store* store, Clock* clock);

  /// How far it is. Only reads. kConfiguration: it cannot be moved, and why; kNotFound: a table is missing.
  Result<MoveStage> Open();

  /// Completes the beginning of the index first, if that died between its two stages.
  Status Begin();
  /// kFenced: another one has begun since.
  Status CheckOurs() const;
  Status Finish();
  /// As it was before Begin, where nothing of a mirror was written but its floor.
  Status TakeBack();

  /// A group has followed a topic into the index.
  Result<bool> HasCommitted() const;

  /// Of its states.
  const StateLayout& layout() const { return layout_; }
  /// Empty before Begin: its beginning died between its two stages, or a version without incarnations began it.
  const std::string& incarnation() const { return incarnation_; }

 private:
  Status CheckMovable(const IndexMeta::Begun& begun);
  Status End(std::string_view scheme) const;
  Status Taken() const;
  Status Replace(const std::optional<Cell>& known, const std::string& scheme) const;

  const mapping::Index* const index_;
  IndexMeta meta_;
  const MetaRow row_;
  std::string states_;  // the scheme it comes from
  std::string ours_;    // what Begin has put
  StateLayout layout_;
  std::string incarnation_;
};

}  // namespace fensi::indexer
