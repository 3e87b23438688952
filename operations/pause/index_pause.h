// Reads and changes the pause of one index: a cell of its state table, which every daemon of the index obeys. Blocks on
// the store; one thread.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "mapping/index.h"
#include "operations/access/stores.h"
#include "store/store.h"

namespace fensi::operations {

class IndexPause {
 public:
  /// For an index of a mapping file, in that store, opened for writing if `writes`. kConfiguration: the index has not
  /// begun, or was begun with another definition.
  static Result<IndexPause> Open(const std::string& mapping_path, const std::string& index_name,
                                 const StoreOptions& options, bool writes);

  const std::string& index() const { return index_->name(); }
  /// Who paused it, when and why; empty: not paused.
  const std::string& paused() const { return paused_; }

  /// Pauses it in the name of this process's user.
  Status Pause(const std::string& why) const;
  Status Resume() const;

 private:
  IndexPause(std::shared_ptr<const mapping::Index> index, std::unique_ptr<store::Store> store)
      : index_(std::move(index)), store_(std::move(store)) {}
  Status Read();

  std::shared_ptr<const mapping::Index> index_;
  std::unique_ptr<store::Store> store_;
  std::string paused_;
};

}  // namespace fensi::operations
