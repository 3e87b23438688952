// Tells every partition of the captured streams how far the source's servers are: once a period the replication markers
// that came, now and then who the servers are (M20).
//
// Owns a thread with a session of ZooKeeper and a producer of its own. A mark that is late, told twice or lost does no
// harm, so nothing waits for one; the next is told when the one before was delivered, or has failed.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/clock.h"
#include "capture/marks/mark_collector.h"
#include "capture/marks/members.h"
#include "capture/notices.h"
#include "capture/zookeeper/session.h"
#include "consumer/kafka/tracked_producer.h"

namespace fensi::capture {

struct MarkTellerOptions {
  std::chrono::milliseconds period{1'000};  // 0: no marks
  std::chrono::milliseconds look_period{2'000};
  /// Changes without a marker for so long: HBase writes none. By itself it writes two in a minute.
  std::chrono::milliseconds longest_unmarked{60'000};
  std::map<std::string, int32_t> partitions;  // of each topic
  MembersQuery members;
  consumer::TrackedProducerOptions kafka;
  std::chrono::milliseconds stop_timeout{3'000};
};

class MarkTeller {
 public:
  MarkTeller(const MarkTellerOptions& options, SessionOpener open, Notices notices, Clock* clock);
  ~MarkTeller();

  /// Of each call that is durable; any thread, returns at once.
  void Take(const CallMarkers& markers);
  void Start();
  /// Blocks up to the stop timeout; a ZooKeeper that is silent is left behind then.
  void Stop();

  /// Why no marks are told, or empty.
  std::string trouble() const;

 private:
  class Impl;
  const std::shared_ptr<Impl> impl_;  // the thread's, too, when it is left behind
};

}  // namespace fensi::capture
