#include "hbase/wire/connections.h"

#include <utility>

namespace fensi::hbase {

Result<std::unique_ptr<Connections>> Connections::Start(const Options& options) {
  Result<std::shared_ptr<EventLoop>> loop = EventLoop::Start();
  if (!loop.ok()) return loop.status();
  return std::unique_ptr<Connections>(new Connections(std::move(*loop), options));
}

Connections::~Connections() {
  std::map<Key, std::shared_ptr<Connection>> ending;
  {
    const MutexLock lock(mu_);
    ending.swap(connections_);
  }
  for (const auto& [key, connection] : ending) {
    connection->Close(Status(StatusCode::kCancelled, "the client of HBase is closed"));
  }
}

std::shared_ptr<Connection> Connections::To(const std::string& host, int port, const std::string& service, Use use) {
  const MutexLock lock(mu_);
  std::shared_ptr<Connection>& known = connections_[{host, port, service, use}];
  if (known != nullptr) {
    any_answered_ = any_answered_ || known->has_answered();
    if (!known->closed() && !known->worn()) return known;
  }
  std::shared_ptr<ServerStats>& stats = stats_[AddressText(host, port)];
  if (stats == nullptr) stats = std::make_shared<ServerStats>();
  ConnectionOptions options{.host = host, .port = port, .service = service, .user = options_.user};
  options.connect_timeout = options_.connect_timeout;
  options.most_in_flight = options_.most_in_flight;
  options.most_answer_bytes = options_.most_answer_bytes;
  options.most_calls = options_.most_calls;
  options.handshake = options_.handshake ? options_.handshake(service) : SimpleHandshake();
  known = Connection::Open(loop_, options, stats);
  return known;
}

bool Connections::HasAnswered(const std::string& host, int port, const std::string& service) const {
  const MutexLock lock(mu_);
  const auto found = connections_.find({host, port, service, Use::kCalls});
  return found != connections_.end() && found->second->has_answered();
}

bool Connections::AnyAnswered() const {
  const MutexLock lock(mu_);
  for (const auto& [key, connection] : connections_) any_answered_ = any_answered_ || connection->has_answered();
  return any_answered_;
}

std::map<std::string, ServerCounts> Connections::Counts() const {
  const MutexLock lock(mu_);
  std::map<std::string, ServerCounts> counts;
  for (const auto& [address, stats] : stats_) counts[address] = stats->counts();
  return counts;
}

}  // namespace fensi::hbase
