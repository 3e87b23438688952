// Opens the resources of each index of a run, and checks whether an index could begin. An embedded store is shared: one
// process may open it once.
//
// Blocks on the file system, and on the servers if stated. One thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "daemon/faults/fault_plan.h"
#include "daemon/indexes/index_run.h"
#include "daemon/indexes/memory.h"
#include "daemon/indexes/run_options.h"
#include "daemon/sources/sources.h"
#include "operations/access/store_place.h"

namespace fensi::daemon {

class IndexRunMaker {
 public:
  /// `faults` is null except in tests of the program.
  IndexRunMaker(RunOptions options, std::shared_ptr<FaultPlan> faults)
      : options_(std::move(options)), faults_(std::move(faults)), sinks_(options_.start.source) {}

  const RunOptions& options() const { return options_; }
  /// The folder of the embedded store when it was opened; null before, and for servers. It stays valid.
  const operations::StorePlace* place() const { return place_.get(); }

  /// From here on a topic is read: its group has a new member.
  Result<std::unique_ptr<IndexRun>> Make(std::shared_ptr<const mapping::Index> index, const std::string& path,
                                         const IndexMemory& memory);

  /// Checks that the index's tables are as it needs them, and not begun by another definition. Creates and changes
  /// nothing. Blocks until the store has answered or `permission` returns an error.
  Status CheckTables(const mapping::Index& index, const std::string& path, const std::function<Status()>& permission);

 private:
  void InjectFaults(IndexRunParts* parts) const;
  Status OpenStore();
  /// The store of the index, joined with that of its source if it is another one.
  std::shared_ptr<store::Store> StoreOf(const mapping::Index& index) const;

  const RunOptions options_;
  const std::shared_ptr<FaultPlan> faults_;
  std::shared_ptr<store::Store> store_;
  std::shared_ptr<store::Store> source_store_;            // null: sources are in store_
  std::shared_ptr<store::ConnectionCounts> connections_;  // of store_
  std::unique_ptr<operations::StorePlace> place_;
  DeadLetterSinks sinks_;
};

}  // namespace fensi::daemon
