// Registers in ZooKeeper as a replication peer: ROOT/hbaseid, an ephemeral znode below ROOT/rs for each port, and
// ROOT/master unless another capture of this root has it.
//
// Owns one thread that creates the znodes and keeps them: after a lost session it creates them in a new one. Several
// captures may share a root if they do the same (see ROOT/capture); they start one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "capture/notices.h"
#include "capture/zookeeper/agreement.h"
#include "hbase/zookeeper/session.h"

namespace fensi::capture {

struct RegistrationOptions {
  hbase::SessionOptions zookeeper;
  std::string root = "/fensi";
  std::string host;  // by which region servers reach this machine
  std::vector<uint16_t> ports;
  std::string listener;        // machine and ports: unique among live captures
  Agreement agreement;         // settings of this capture; `source` and `dropped` come from the root
  std::set<std::string> drop;  // tables that may be left out although they were captured
  std::chrono::milliseconds stop_timeout{3'000};
};

class Registration {
 public:
  Registration(const RegistrationOptions& options, hbase::SessionOpener open, Notices notices, Clock* clock);
  /// Ends the session: region servers see at once that the capture is gone.
  ~Registration();

  /// Blocks until the znodes exist. kUnavailable: no ZooKeeper. kConfiguration: the root belongs to another program,
  /// others may write to it although we have a user of our own, another capture has our host and port, or edits would
  /// be lost. kCancelled: `go_on`, which is called from time to time, said no.
  Status Start(const std::function<bool()>& go_on);
  /// Blocks up to the stop timeout; then abandons the thread if ZooKeeper is silent.
  void Stop();

  /// Tables that were captured once. Call after Start.
  std::set<std::string> dropped() const;
  /// Checks that edits of this HBase cluster (its UUID) may be acknowledged. The first cluster is recorded in the root.
  /// kConfiguration: the edits are another cluster's, or the root's settings have changed since. kUnavailable: it is
  /// the first, and ZooKeeper is unreachable. Any thread; blocks, for two seconds, only for the first.
  Status CheckSource(const std::string& uuid);

  /// All captures of the root, as of a second ago. Any thread.
  ClusterView cluster() const;

  /// Why the znodes may be missing at the moment, or empty.
  std::string trouble() const;

 private:
  class Impl;
  const std::shared_ptr<Impl> impl_;  // shared with the thread, which may be abandoned
};

}  // namespace fensi::capture
