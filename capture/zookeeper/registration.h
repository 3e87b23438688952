// Stands in ZooKeeper as a replication peer: ROOT/hbaseid, an ephemeral znode below ROOT/rs for each port, and
// ROOT/master unless another capture of this root has it.
//
// Owns one thread that makes the znodes and keeps them there: after a lost session a new one makes them anew. Several
// captures may share a root if they do the same (ROOT/capture says what); they begin one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "capture/cluster_view.h"
#include "capture/notices.h"
#include "capture/zookeeper/agreement.h"
#include "capture/zookeeper/session.h"

namespace fensi::capture {

struct RegistrationOptions {
  SessionOptions zookeeper;
  std::string root = "/fensi";
  std::string host;  // by which region servers reach this machine
  std::vector<uint16_t> ports;
  std::string listener;        // the machine, and where on it the ports are: no two live captures have the same
  Agreement agreement;         // what this capture wants; `source` and `dropped` come from the root
  std::set<std::string> drop;  // tables that may be left out although they were captured
  std::chrono::milliseconds stop_timeout{3'000};
};

class Registration {
 public:
  Registration(const RegistrationOptions& options, SessionOpener open, Notices notices, Clock* clock);
  /// Ends the session: region servers see at once that nobody is here.
  ~Registration();

  /// Blocks until the znodes stand. kUnavailable: no ZooKeeper. kConfiguration: the root belongs to somebody else,
  /// others may write to it although we have a user of our own, another capture
  /// has our host and port, or edits would be lost. kCancelled: `go_on`, which is
  /// asked now and then, said no.
  Status Start(const std::function<bool()>& go_on);
  /// Blocks up to the stop timeout; a ZooKeeper that is silent is left behind then.
  void Stop();

  /// Tables that were captured once. After Start.
  std::set<std::string> dropped() const;
  /// May edits of this HBase cluster (its UUID) be acknowledged? The first one that comes is remembered in the root.
  /// kConfiguration: they are another cluster's, or what this root does has changed under us. kUnavailable: it is the
  /// first, and ZooKeeper is away. Any thread; blocks, for two seconds, only for the first.
  Status CheckSource(const std::string& uuid);

  /// All captures of the root, as they stood there a second ago. Any thread.
  ClusterView cluster() const;

  /// Why the znodes may not be there at the moment, or empty.
  std::string trouble() const;

 private:
  class Impl;
  const std::shared_ptr<Impl> impl_;  // the thread's, too, when it is left behind
};

}  // namespace fensi::capture
