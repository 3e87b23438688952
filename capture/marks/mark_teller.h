// Sends watermarks to every partition of the captured streams: the replication markers that arrived, once a period, and
// from time to time the list of the source's servers (M20).
//
// Owns a thread with a ZooKeeper session and a producer of its own. A watermark that is late, duplicated or lost does
// no harm, so nothing waits for one; the next is sent when the one before was delivered, or has failed.
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
#include "consumer/kafka/producer/tracked_producer.h"
#include "hbase/zookeeper/session.h"

namespace fensi::capture {

struct MarkTellerOptions {
  std::chrono::milliseconds period{1'000};  // 0: no watermarks
  std::chrono::milliseconds look_period{2'000};
  /// Changes without a marker for this long mean that HBase writes none. By default it writes two in a minute.
  std::chrono::milliseconds longest_unmarked{60'000};
  std::map<std::string, int32_t> partitions;  // per topic
  MembersQuery members;
  consumer::TrackedProducerOptions kafka;
  std::chrono::milliseconds stop_timeout{3'000};
};

class MarkTeller {
 public:
  MarkTeller(const MarkTellerOptions& options, hbase::SessionOpener open, Notices notices, Clock* clock);
  ~MarkTeller();

  /// Takes the markers of each call that is durable; any thread, returns at once.
  void Take(const CallMarkers& markers);
  void Start();
  /// Blocks up to the stop timeout; then abandons the thread if ZooKeeper is silent.
  void Stop();

  /// Why no watermarks are sent, or empty.
  std::string trouble() const;

 private:
  class Impl;
  const std::shared_ptr<Impl> impl_;  // shared with the thread, which may be abandoned
};

}  // namespace fensi::capture
