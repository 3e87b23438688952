// Records in an index's row that it is converted from row states to stateless (indexer/conversion.h).
//
// From Begin to Finish, column `scheme` has the conversion and the name of its process. Every version of fensi refuses
// to run the index: this one by the word, older ones by the definition. Begin and Finish are one put each. A later
// Begin takes over from an earlier one: of two, the first does nothing more. Blocks on the store; one thread. Index,
// store and clock outlive it.
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

enum class SchemeChangeStage { kNotStarted, kStarted, kMoved };

class SchemeChange {
 public:
  SchemeChange(const mapping::Index* index, store::Store* store, Clock* clock);

  /// Reads the stage; writes nothing. kConfiguration: the index cannot be converted, and why. kNotFound: a table is
  /// missing.
  Result<SchemeChangeStage> Open();

  /// Begins the conversion. First completes the creation of the index, if that died between its two stages.
  Status Begin();
  /// kFenced: another process has begun since.
  Status CheckStillOwner() const;
  Status Finish();
  /// Undoes Begin, if only the floor of the stateless index was written.
  Status TakeBack();

  /// True if a group has committed for a topic of the index.
  Result<bool> HasCommitted() const;

  /// Layout of its states.
  const StateLayout& layout() const { return layout_; }
  /// Empty before Begin if the creation died between its two stages, or a version without incarnations created the
  /// index.
  const std::string& incarnation() const { return incarnation_; }

 private:
  Status CheckMovable(const IndexMeta::Begun& begun);
  Status End(std::string_view scheme) const;
  Status Taken() const;
  Status Replace(const std::optional<Cell>& known, const std::string& scheme) const;

  const mapping::Index* const index_;
  IndexMeta meta_;
  const MetaRow row_;
  std::string states_;  // scheme before the conversion
  std::string ours_;    // what Begin wrote
  StateLayout layout_;
  std::string incarnation_;
};

}  // namespace fensi::indexer
