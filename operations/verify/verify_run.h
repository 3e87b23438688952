// Runs one `fensi verify`: compares an index with its source, alone or with other processes, and records what it
// proves.
//
// Blocks on the store, and until a stop signal comes; on the thread that waits for signals.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/exit_codes.h"
#include "base/status.h"
#include "mapping/index.h"
#include "meta/versioned_meta_row.h"
#include "operations/access/stores.h"
#include "operations/jobs/join.h"
#include "operations/verify/followed_by_marks.h"
#include "operations/verify/report.h"
#include "operations/verify/table_proof.h"
#include "store/store.h"
#include "sweep/compare/comparison.h"
#include "sweep/jobs/board.h"

namespace fensi::operations {

/// kInvalidArgument: it is neither `watermark` nor a time.
Status CheckAsOf(const std::string& as_of);

/// The time of an `as_of` that passed CheckAsOf, in milliseconds since the epoch: younger data is left out; INT64_MAX:
/// none is. kConfiguration: `watermark` was given, and the index of this incarnation has no watermark.
Result<int64_t> AskedAsOf(const std::string& as_of, const mapping::Index& index, const std::string& incarnation,
                          store::Store* store, const std::string& meta_table);

struct VerifyRunOptions {
  StoreOptions store;
  MarkOptions marks;
  sweep::CompareOptions compare;  // without its time, which `as_of` says
  std::string as_of;              // as CheckAsOf accepts it
  std::string report;             // file; empty: none
  bool overwrite = false;         // an existing report may be replaced
  bool json = false;
  bool distributed = false;          // shares the comparison with other processes
  int workers = 1;                   // threads of a shared comparison
  bool paced = false;                // a rate was given
  bool again = false;                // a shared comparison that is over starts again
  std::optional<sweep::Wish> steer;  // steers a shared comparison, and compares nothing
};

/// Opens the store. The compared tables exist then, except for tables of periods.
Result<std::shared_ptr<store::Store>> OpenTablesToVerify(const mapping::Index& index, const VerifyRunOptions& options);

class VerifyRun {
 public:
  /// `index` outlives it.
  VerifyRun(const mapping::Index* index, std::shared_ptr<store::Store> store, VerifyRunOptions options)
      : index_(*index), store_(std::move(store)), run_(std::move(options)) {}

  /// kExitDone: nothing differs, and everything was compared.
  Result<int> Run();

 private:
  bool Embedded() const { return StoreIsEmbedded(run_.store.url); }
  bool SomeRows() const { return !(run_.compare.start_row.empty() && run_.compare.stop_row.empty()); }

  Result<int> Compare(VerifyReport* report);
  /// With all other processes that have the same job.
  Result<int> CompareTogether(VerifyReport* report);
  Result<int> Steer(sweep::Wish what) const;

  Result<sweep::CompareOptions> Options() const;
  meta::VersionedMetaRow JobRow() const;
  JobWish Job(const sweep::CompareOptions& options) const;
  /// `made`: this process created the job, and no process has compared anything before.
  Result<sweep::Job> Join(const JobWish& wish, const sweep::CompareOptions& options, bool* made) const;

  /// The exit code of a complete comparison.
  int CodeOf(const sweep::Counts& counts) const;
  /// No row of the source has a cell that the index reads, and the index has none: a column or a family is misspelt, if
  /// the source has rows at all.
  Result<bool> ComparedNothing(const sweep::Counts& counts) const;
  void NoteTable(const TableProof& proof, const std::optional<store::TableIdentity>& table,
                 const sweep::CompareOptions& options, const sweep::Counts& counts) const;
  void NoteResult(const sweep::CompareOptions& options, const sweep::Counts& counts, int64_t began) const;

  const mapping::Index& index_;
  const std::shared_ptr<store::Store> store_;
  const VerifyRunOptions run_;
  std::string incarnation_;  // of the index; empty: it has not begun
};

}  // namespace fensi::operations
