// Runs one repair for a command: finds its targets in a report, by a comparison of its own, or among given rows, sends
// requests to the owners, and confirms the result (M14).
//
// Blocks on the store, on Kafka and on files; one thread. Everything that is handed in outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/exit_codes.h"
#include "consumer/dead_letters.h"
#include "indexer/in_process_owner.h"
#include "indexer/index_meta.h"
#include "mapping/index.h"
#include "operations/access/kafka.h"
#include "operations/access/store_place.h"
#include "operations/access/stores.h"
#include "operations/repair/owners.h"
#include "operations/repair/repair.h"
#include "operations/repair/targets.h"
#include "operations/verify/followed_by_marks.h"
#include "operations/verify/table_proof.h"
#include "store/store.h"

namespace fensi::operations {

struct RepairRunOptions {
  StoreOptions store;
  KafkaOptions kafka;  // Kafka of the stream; not for an embedded store
  MarkOptions marks;
  bool execute = false;
  std::string report;                    // of `fensi verify`; empty: `direct`, or `rows`
  bool partial_report = false;           // it may cover a part of the index, or be cut off
  bool direct = false;                   // runs a comparison
  std::vector<std::string> rows;         // of the source
  int64_t read_rows_per_second = 0;      // of its own comparison; 0: no bound
  int64_t asked_rows_per_second = 1000;  // of requests to the owners
  std::chrono::seconds wait{600};        // for the owners; 0: neither waits nor confirms
  std::chrono::seconds recheck{0};       // between two rounds of a confirmation
  /// Where dead letters go for rows that this process owns itself.
  std::function<Result<std::shared_ptr<consumer::DeadLetterSink>>(const mapping::Index&)> letters;
};

class RepairRun {
 public:
  RepairRun(std::shared_ptr<const mapping::Index> index, std::shared_ptr<store::Store> store, RepairRunOptions options);
  ~RepairRun();

  Result<int> Run();

 private:
  class ScratchFile;

  /// Call before anything is compared or requested.
  Status FindOwners();

  Status OwnAll();

  Status FindTargets();

  /// Compares everything, into a file that is read as any other report.
  Status VerifyFirst();

  std::string AskedText(const Repair& repair) const;

  Result<int> Finish(Repair* repair);

  Result<int> Conclude(const Repair& repair) const;

  const std::shared_ptr<const mapping::Index> index_;
  const std::shared_ptr<store::Store> store_;
  const RepairRunOptions run_;
  const indexer::IndexMeta meta_;
  std::optional<StorePlace> place_;  // of an embedded store
  std::optional<TableProof> proof_;
  std::optional<store::TableIdentity> whole_table_;  // after a repair of everything that is wrong in it
  RepairOptions options_;
  std::shared_ptr<consumer::DeadLetterSink> sink_;
  std::unique_ptr<indexer::InProcessOwner> owner_;
  std::unique_ptr<RowOwners> owners_;
  std::unique_ptr<ScratchFile> scratch_;
  std::unique_ptr<TargetList> targets_;
  int64_t undecided_ = 0;
  bool too_many_ = false;
  bool rows_alone_ = false;  // given rows, without the findings of a comparison
};

}  // namespace fensi::operations
