// Opens what each index of a run needs, and asks whether an index could begin. An embedded store is shared: one process
// may open it once.
//
// Blocks on the file system, and where it says so on the servers. One thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cli/run/faults/fault_plan.h"
#include "cli/run/index_run.h"
#include "cli/run/memory.h"
#include "cli/run/sources.h"
#include "cli/run/store_place.h"

namespace fensi::cli {

class IndexRunMaker {
 public:
  /// `faults` is null but in tests of the program.
  explicit IndexRunMaker(std::shared_ptr<FaultPlan> faults) : faults_(std::move(faults)) {}

  /// Where the embedded store was when it was opened; null before, and for servers. It stays.
  const StorePlace* place() const { return place_.get(); }

  /// From here on a topic is read: its group has a new member.
  Result<std::unique_ptr<IndexRun>> Make(std::shared_ptr<const mapping::Index> index, const std::string& path,
                                         const IndexMemory& memory);

  /// Whether the index's tables are as it needs them, and begun by no other definition. Makes and changes nothing.
  /// Blocks on the store until it has answered or `permission` has an error.
  Status CheckTables(const mapping::Index& index, const std::string& path, const std::function<Status()>& permission);

 private:
  void InjectFaults(IndexRunParts* parts) const;
  Status OpenStore();

  const std::shared_ptr<FaultPlan> faults_;
  std::shared_ptr<store::Store> store_;
  std::shared_ptr<store::ConnectionCounts> connections_;  // of store_
  std::unique_ptr<StorePlace> place_;
  DeadLetterSinks sinks_;
};

}  // namespace fensi::cli
