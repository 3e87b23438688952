// Runs a capture: accepts edits from HBase's region servers, writes them to Kafka, and registers in ZooKeeper.
//
// Create checks and prepares, Start lets region servers connect, Stop ends in order. One thread drives it; it owns the
// threads of its parts. Every edit that is acknowledged to HBase is in Kafka.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "capture/marks/mark_teller.h"
#include "capture/notices.h"
#include "capture/publish/publisher.h"
#include "capture/rpc/rpc_server.h"
#include "capture/zookeeper/registration.h"

namespace fensi::capture {

struct CaptureOptions {
  RpcServerOptions server;
  PublisherOptions publisher;
  MarkTellerOptions marks;           // `partitions` of all topics; our root and tables are filled in
  RegistrationOptions registration;  // `listener`: the machine; ports, topics and message limit are filled in
  std::chrono::milliseconds stop_timeout{4'000};
};

class Capture {
 public:
  /// Listens on the ports. kConfiguration, kInvalidArgument; connects to no server.
  static Result<std::unique_ptr<Capture>> Create(const CaptureOptions& options, Notices notices, Clock* clock);
  /// Stops, if Stop was not called.
  ~Capture();

  /// Accepts connections, then registers in ZooKeeper. kCancelled: `go_on`, which is called from time to time, said no.
  Status Start(const std::function<bool()>& go_on);
  /// 1. ZooKeeper: region servers look elsewhere. 2. Calls in flight are acknowledged, or given up after the stop
  /// timeout.
  /// 3. Everything ends.
  void Stop();

  /// See RpcServer::UseTls.
  Status UseTls(const TlsPems& pems) { return server_->UseTls(pems); }

  std::vector<uint16_t> ports() const { return server_->ports(); }
  Counts counts() const;
  /// Bytes of calls in flight, their limit, and messages that Kafka has not acknowledged yet.
  size_t held_bytes() const { return server_->held_bytes(); }
  size_t held_limit() const { return server_->held_limit(); }
  int64_t unacknowledged() const { return publisher_->unacknowledged(); }
  const Timings& timings() const { return publisher_->timings(); }
  int64_t connections() const { return server_->connections(); }
  int64_t connections_ever() const { return server_->connections_ever(); }
  int64_t nameless_ever() const { return server_->nameless_ever(); }
  int64_t refused_peers() const { return server_->refused_peers(); }
  /// True if region servers can find us, as far as our session with ZooKeeper shows.
  bool is_registered() const;
  /// Why region servers may not find us at the moment, or why no watermarks are sent; or empty.
  std::string trouble() const;

 private:
  Capture(const CaptureOptions& options, Notices notices, Clock* clock);
  PublisherOptions PublisherSettings();
  RpcServerOptions ServerSettings();
  RegistrationOptions RegistrationSettings() const;

  const CaptureOptions options_;
  const Notices notices_;
  Clock* const clock_;
  std::unique_ptr<MarkTeller> marks_;  // outlives the publisher, which sends it markers
  std::unique_ptr<RpcServer> server_;  // outlives the calls that the publisher holds
  std::unique_ptr<Publisher> publisher_;
  std::unique_ptr<Registration> registration_;
  bool stopped_ = false;
};

}  // namespace fensi::capture
