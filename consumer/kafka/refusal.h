// Why brokers refuse a client's connections: a wrong certificate, a wrong password. librdkafka says it to its error
// callback alone and tries again; whoever waits for an answer sees nothing but silence. Thread-safe, never blocks.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "consumer/kafka/handles.h"

namespace fensi::consumer {

/// What an error callback is told, with what Kerberos' library leaves out.
std::string WholeReason(const char* reason);

class Refusal {
 public:
  explicit Refusal(Clock* clock = SystemClock()) : clock_(clock) {}

  /// Becomes the client's error callback and opaque; must live as long as the client does.
  void Listen(rd_kafka_conf_t* config);

  /// What an error callback is told. Words that are no refusal are kept for Explain.
  void Note(int error, const char* reason);
  /// A broker has answered.
  void Over();

  /// Ok: nobody refuses. kConfiguration: TLS does not come about. kPermission: the broker does not believe who we are.
  Status status() const;
  /// As status, but ok unless a broker has refused for that long and none has answered since.
  Status Lasting(std::chrono::milliseconds timeout) const;
  /// A call without an answer, in the words of what stands behind it; every other status stays as it is.
  Status Explain(const Status& call) const;

 private:
  Clock* const clock_;
  std::atomic<bool> any_ = false;
  mutable Mutex mu_;
  Status status_ ABSL_GUARDED_BY(mu_);
  std::chrono::milliseconds since_ ABSL_GUARDED_BY(mu_){0};  // status_ is not ok
  std::string words_ ABSL_GUARDED_BY(mu_);                   // of a connection that did not come about otherwise
};

}  // namespace fensi::consumer
