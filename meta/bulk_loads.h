// Bulk loads that an index has met in its stream and has not followed yet: one column for each loaded region.
//
// Columns of row job:NAME:loads (meta/versioned_meta_row.h). INC is the incarnation of the index.
//   load/INC/REGION/SEQ   "ROW WRITTEN MET TOKEN": the region's first row, escaped; two times, milliseconds since the
//                         epoch. A load that is met again gets a new TOKEN, and so a new version.
//   taken/INC/JOB         the loads that a job reads, one a line: "VERSION COLUMN"
// The version of a load's cell says which meeting it is of. A job forgets only the versions that it has taken, so a
// load that is met again meanwhile waits for the next job.
//
// Blocks on the store; thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/cell.h"
#include "base/status.h"
#include "meta/versioned_meta_row.h"

namespace fensi::meta {

/// One region's part of a bulk load.
struct LoadedRegion {
  std::string region;  // encoded name; empty: unknown
  uint64_t sequence_id = 0;
  std::string row;      // first row of the region
  int64_t written = 0;  // when HBase logged it, milliseconds since the epoch; 0: unknown
  int64_t met = 0;      // when a daemon met it last, the same
  Cell cell = {};       // as it is stored; empty for one that is not
};

class BulkLoads {
 public:
  BulkLoads(VersionedMetaRow row, std::string incarnation)
      : row_(std::move(row)), incarnation_(std::move(incarnation)) {}

  /// Records the load, or that it was met again.
  Status Note(const LoadedRegion& load) const;
  /// The loads that wait, the oldest first. kInternal names a cell that cannot be parsed.
  Result<std::vector<LoadedRegion>> Waiting() const;

  /// Records which loads the job reads. Before the job is on its board.
  Status Take(const std::string& job, const std::vector<LoadedRegion>& loads) const;
  /// The job has read them: forgets the loads that it has taken, but not one that was met again since.
  Status Finish(const std::string& job) const;
  /// Forgets what jobs other than `job` have taken: they are not on the board any more.
  Status ForgetJobsBut(const std::string& job) const;

 private:
  std::string Prefix(const char* kind) const { return std::string(kind) + "/" + incarnation_ + "/"; }

  const VersionedMetaRow row_;
  const std::string incarnation_;
};

/// The row of the loads of an index.
std::string LoadsRow(const std::string& index);

}  // namespace fensi::meta
