// Stands in ZooKeeper as a replication peer: ROOT/hbaseid, and an ephemeral znode below ROOT/rs for each port.
//
// Owns one thread that keeps the znodes there: after a lost session a new one makes them anew. Start blocks; the rest
// returns soon. Several captures may share a root if they capture the same tables (ROOT/capture says which).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "capture/notices.h"

namespace fensi::capture {

struct RegistrationOptions {
  std::string zookeeper;  // "host:port,host:port"
  std::string root = "/fensi";
  std::string host;  // by which region servers reach this machine
  std::vector<uint16_t> ports;
  std::string purpose;  // what this capture does with which tables; must be equal for all captures of a root
  std::chrono::milliseconds session_timeout{10'000};
  std::chrono::milliseconds connect_timeout{10'000};
};

class Registration {
 public:
  Registration(const RegistrationOptions& options, Notices notices, Clock* clock);
  /// Ends the session: region servers see at once that nobody is here.
  ~Registration();

  /// Makes the znodes. kUnavailable: no ZooKeeper. kConfiguration: the root belongs to somebody else, or captures that
  /// run there do something else.
  Status Start();
  void Stop();

  /// Why the znodes may not be there at the moment, or empty.
  std::string trouble() const;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace fensi::capture
