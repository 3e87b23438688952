// Records why brokers refuse a client's connections, for instance a wrong certificate or password. librdkafka reports
// this only to its error callback and retries; a caller that waits for an answer sees only silence. Thread-safe, never
// blocks.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "consumer/kafka/client/handles.h"

namespace fensi::consumer {

/// The text of an error callback, with the details that the Kerberos library leaves out.
std::string FullReason(const char* reason);

class Refusal {
 public:
  explicit Refusal(Clock* clock = SystemClock()) : clock_(clock) {}

  /// Installs itself as the client's error callback and opaque; must live as long as the client does.
  void Listen(rd_kafka_conf_t* config);

  /// Takes the text of an error callback. Texts that are no refusal are kept for Explain.
  void Note(int error, const char* reason);
  /// Ends the refusal: a broker has answered.
  void Over();

  /// Ok: no broker refuses. kConfiguration: the TLS handshake fails. kPermission: authentication fails.
  Status status() const;
  /// As status, but ok unless a broker has refused for that long and none has answered since.
  Status DurationRefused(std::chrono::milliseconds timeout) const;
  /// Adds the known reason to a call without an answer; every other status stays as it is.
  Status Explain(const Status& call) const;

 private:
  Clock* const clock_;
  std::atomic<bool> any_ = false;
  mutable Mutex mu_;
  Status status_ ABSL_GUARDED_BY(mu_);
  std::chrono::milliseconds since_ ABSL_GUARDED_BY(mu_){0};  // time at which status_ became an error
  std::string words_ ABSL_GUARDED_BY(mu_);                   // text of a connection that failed for another reason
};

}  // namespace fensi::consumer
