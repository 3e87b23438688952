// What the workers of a job found, where all of them can read it: in the meta table, a row for each range of the job. A
// finding stands there once, however often a range is compared.
//
// Row JOBROW:JOB:N, a column for each finding: a hash of what it is of, with its text (found_text.h).
// Blocks on the store; thread-safe. The store outlives it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "store/store.h"
#include "sweep/finding.h"

namespace fensi::sweep {

class FoundRows {
 public:
  /// `job_row`: of the job in `table`.
  FoundRows(store::Store* store, std::string table, std::string job_row, std::string job)
      : store_(store), table_(std::move(table)), job_row_(std::move(job_row)), job_(std::move(job)) {}

  Status Keep(size_t range, const std::vector<Finding>& findings) const;
  /// All of them, range by range. kInternal names what cannot be understood.
  Status ForEach(const std::function<Status(const Finding&)>& use) const;
  /// Deletes what earlier jobs of this row found. `is_current`: an error where this job is none of the row any more, so
  /// that what stands there may be a later one's.
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
