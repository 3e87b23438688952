// The owners of an index's rows, for a backfill: receives its requests, and reports their progress.
//
// Blocks on stores and brokers; one thread except for Sink.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/status.h"
#include "sweep/jobs/backfill_worker.h"
#include "sweep/jobs/row_snapshot.h"

namespace fensi::operations {

class Owners {
 public:
  using Offsets = std::map<int32_t, int64_t>;  // by partition

  virtual ~Owners() = default;
  /// Incarnation of the index that they own.
  virtual const std::string& incarnation() const = 0;
  /// For people: "4 partitions of topic fensi.requests".
  virtual std::string Text() const = 0;
  /// The job is older than this process: lost requests may be the job's.
  virtual void NoteJoined() {}
  /// The known losses of requests; compare with those at the creation of the job: new ones may be its own.
  virtual std::string Losses() const { return ""; }
  virtual void NoteLosses(const std::string&) {}
  /// Sets the limits of requests.
  virtual void Bound(sweep::RowSnapshotOptions* images) const = 0;

  /// Dead letters that owners in this process wrote.
  virtual int64_t dead_letters() const { return 0; }

  /// Makes a sink for one thread. `go_on` is called while it waits, and its error ends the wait.
  virtual Result<std::unique_ptr<sweep::RequestSink>> Sink(std::function<Status()> go_on) = 0;

  /// The ends of the request logs.
  virtual Result<Offsets> Ends() const = 0;
  /// Requests below these ends that are not applied yet. kConfiguration: some were deleted before.
  virtual Result<int64_t> Waiting(const Offsets& ends) const = 0;
};

}  // namespace fensi::operations
