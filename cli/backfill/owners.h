// The owners of an index's rows, as a backfill meets them: where it asks them
// for something, and how far they are.
//
// Blocks on stores and brokers; one thread but for Sink.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/status.h"
#include "sweep/image.h"
#include "sweep/request_sink.h"

namespace fensi::cli {

class Owners {
 public:
  using Offsets = std::map<int32_t, int64_t>;  // by partition

  virtual ~Owners() = default;
  /// Of the index that they own.
  virtual const std::string& incarnation() const = 0;
  /// For people: "4 partitions of topic fensi.requests".
  virtual std::string Text() const = 0;
  /// The job is older than this process: requests that are gone may have been
  /// its own.
  virtual void NoteJoined() {}
  /// Losses of requests that are known now; and those that were when the job
  /// was made: more of them may be its own.
  virtual std::string Losses() const { return ""; }
  virtual void NoteLosses(const std::string&) {}
  /// How large requests may be.
  virtual void Bound(sweep::ImageOptions* images) const = 0;

  /// What went to the dead letters by the owners' own hands here.
  virtual int64_t dead_letters() const { return 0; }

  /// A sink of its own for each thread. `go_on` is asked while it waits, and its error ends the wait.
  virtual Result<std::unique_ptr<sweep::RequestSink>> Sink(std::function<Status()> go_on) = 0;

  /// How many requests there are.
  virtual Result<Offsets> Ends() const = 0;
  /// Requests below these ends that are not applied yet. kConfiguration: some
  /// were deleted before.
  virtual Result<int64_t> Waiting(const Offsets& ends) const = 0;
};

}  // namespace fensi::cli
