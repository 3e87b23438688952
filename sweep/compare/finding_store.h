// Stores the findings of a job's workers in the meta table, a row for each range of the job. A finding is stored once,
// however often its range is compared.
//
// Row JOBROW:JOB:N, a column for each finding: a hash of its identity, with its text. Blocks on the
// store; thread-safe. The store outlives it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "store/store.h"
#include "sweep/compare/finding.h"

namespace fensi::sweep {

// Writes a finding as one line of words, and reads it back. Pure.

/// KIND SEEN CONFIRMED TIMESTAMP =FAMILY =QUALIFIER =SOURCE_ROW =TABLE =ROW =FAMILY =QUALIFIER =EXPECTED =FOUND
/// =REASON;
/// "-" for the first family and qualifier where the unit is a whole row.
std::string TextOf(const Finding& finding);
/// Absent: the text is no finding.
std::optional<Finding> FindingOf(const std::string& text);

// Stores the findings of a job's workers, each once.

class FindingStore {
 public:
  /// `job_row`: row of the job in `table`.
  FindingStore(store::Store* store, std::string table, std::string job_row, std::string job)
      : store_(store), table_(std::move(table)), job_row_(std::move(job_row)), job_(std::move(job)) {}

  Status Keep(size_t range, const std::vector<Finding>& findings) const;
  /// Reads all findings, range by range. kInternal names what cannot be parsed.
  Status ForEach(const std::function<Status(const Finding&)>& use) const;
  /// Deletes the findings of earlier jobs of this row. `is_current`: an error if this job has been replaced, so that
  /// the stored findings may be a later job's.
  Status ForgetOthers(const std::function<Status()>& is_current) const;

 private:
  std::string RowOf(size_t range) const;
  Status Walk(const std::string& prefix, const std::function<Status(const store::Row&)>& use) const;

  store::Store* const store_;
  const std::string table_;
  const std::string job_row_;
  const std::string job_;
};

}  // namespace fensi::sweep
