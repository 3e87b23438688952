// Shows a running capture to a person: periodic progress, a summary at the end, and hints if nothing arrives: why no
// edits arrive, from what the source cluster shows, with the remedy. One thread.
#pragma once

#include <future>
#include <string>
#include <vector>

#include "base/clock.h"
#include "capture/capture.h"
#include "capture/peers.h"
#include "daemon/capture/settings.h"

namespace fensi::daemon {

struct CaptureFacts {
  std::vector<std::string> tables;
  std::string root;         // of our peer
  std::string cluster_key;  // that a peer must have
  std::string address;      // by which region servers look for us
  std::string principal;    // for which a region server needs a ticket; empty: none
  int64_t connections_ever = 0;
  int64_t nameless_ever = 0;  // connections that ended before the client was identified
  bool arrived = false;       // an edit of these tables has arrived
};

/// At least one sentence, unless edits have arrived before and the peers are right: the tables may be quiet. Pure.
std::vector<std::string> HintsFrom(const CaptureFacts& facts, const std::vector<capture::Peer>& peers);

/// The same with the peers below `hbase_znode`. Blocks for some seconds.
std::vector<std::string> HintsNow(const CaptureSettings& settings, const CaptureFacts& facts);

class CaptureWatch {
 public:
  CaptureWatch(const capture::Capture* capture, CaptureSettings settings, CaptureFacts facts, Clock* clock);

  /// Call it often.
  void Tick();
  std::string Summary() const;

 private:
  void Report();
  void Hint();
  void TellHints(const std::vector<std::string>& hints);
  std::string Line() const;

  const capture::Capture* const capture_;
  const CaptureSettings settings_;
  CaptureFacts facts_;
  Clock* const clock_;
  const std::chrono::milliseconds start_;
  std::chrono::milliseconds next_report_;
  std::chrono::milliseconds next_hint_;
  int64_t reported_events_ = 0;
  std::string reported_;
  int64_t hinted_calls_ = 0;
  std::future<std::vector<std::string>> hints_;  // a ZooKeeper query takes time
  std::vector<std::string> told_;                // last logged hints; empty once calls arrive again
  std::chrono::milliseconds tell_again_{0};
};

}  // namespace fensi::daemon
