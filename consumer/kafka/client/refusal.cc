#include "consumer/kafka/client/refusal.h"

#include "base/kerberos.h"
#include "consumer/kafka/client/client_config.h"

namespace fensi::consumer {
namespace {

/// TLS 1.3 tells a client that its certificate is missing or wrong only after the handshake, as words of OpenSSL.
bool NamesOurCertificate(std::string_view reason) {
  for (const char* alert : {"alert certificate required", "alert bad certificate", "alert unknown ca",
                            "alert certificate unknown", "alert certificate expired", "alert certificate revoked"}) {
    if (reason.find(alert) != std::string_view::npos) return true;
  }
  return false;
}

/// Within the handshake: a port without TLS does so, but a broker that is being stopped, too.
bool WentAway(std::string_view reason) {
  for (const char* words : {"unexpected eof", "Connection reset", "Disconnected", "Broken pipe"}) {
    if (reason.find(words) != std::string_view::npos) return true;
  }
  return false;
}

/// A broker whose certificate is wrong is told of by librdkafka as of one whose transport failed, too, and then without
/// its hint of what may be mended.
std::string WithHint(const std::string& reason) {
  const bool hinted = reason.find("ssl.ca.location") != std::string::npos;
  return reason + (hinted ? "" : "; ssl.ca.location must name the authority that signed the broker's certificate") +
         ". Or the broker's certificate has expired, or is for another host: 'openssl s_client -connect HOST:PORT' "
         "shows it";
}

/// What to correct; of a wrong password by SCRAM the likely cause.
std::string LoginHint(const std::string& reason) {
  if (reason.find("SCRAM") != std::string::npos && ScramIsWrong()) return " (" + ScramWarning() + ")";
  return ". Correct the login in --kafka_property_file, or the certificate or ticket of this user";
}

/// The KDC that gives out tickets may be unreachable, too.
std::string OfKdc(std::string_view reason) { return IsKdcUnreachable(reason, HasKerberosKeytab()); }

/// What the broker's answer to the name of a mechanism means; empty: it is another answer. librdkafka ends it with the
/// mechanisms that the broker has named, and a listener without SASL names none.
std::string WrongMechanism(std::string_view reason) {
  constexpr std::string_view kFailed = "mechanism handshake failed", kOffered = "broker's supported mechanisms: ";
  if (reason.find(kFailed) == std::string_view::npos) return "";
  const size_t at = reason.find(kOffered);
  std::string_view offered = at == std::string_view::npos ? "" : reason.substr(at + kOffered.size());
  offered = offered.substr(0, offered.find_first_of(" ("));
  if (offered.empty()) {
    return "this listener of Kafka takes no SASL. Name the port of a listener with SASL. Without SASL, set "
           "security.protocol to PLAINTEXT, or to SSL for a listener with TLS (";
  }
  return "this listener of Kafka does not take the sasl.mechanism of --kafka_property_file. Set one that the listener "
         "offers: " +
         std::string(offered) + " (";
}

Status StatusOf(int error, const std::string& reason) {
  if (!OfKdc(reason).empty()) return Status();
  if (const std::string wrong = WrongMechanism(reason); !wrong.empty()) {
    return Status(StatusCode::kConfiguration, wrong + reason + ")");
  }
  if (error == RD_KAFKA_RESP_ERR__AUTHENTICATION || NamesOurCertificate(reason)) {
    return Status(StatusCode::kPermission, "Kafka refuses the user: " + reason + LoginHint(reason));
  }
  const bool wrong = reason.find("certificate verify failed") != std::string::npos;
  if (wrong) return Status(StatusCode::kConfiguration, "no encrypted connection to Kafka: " + WithHint(reason));
  if (error != RD_KAFKA_RESP_ERR__SSL || WentAway(reason)) return Status();
  return Status(StatusCode::kConfiguration, "no encrypted connection to Kafka: " + reason +
                                                ". Check security.protocol and ssl.* in --kafka_property_file");
}

}  // namespace

std::string FullReason(const char* reason) {
  const std::string of_kdc = OfKdc(reason);
  return of_kdc.empty() ? reason : of_kdc;
}

void Refusal::Listen(rd_kafka_conf_t* config) {
  rd_kafka_conf_set_opaque(config, this);
  rd_kafka_conf_set_error_cb(config, [](rd_kafka_t*, int error, const char* reason, void* opaque) {
    static_cast<Refusal*>(opaque)->Note(error, reason);
  });
}

void Refusal::Note(int error, const char* reason) {
  if (error == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN || reason == nullptr) return;
  Status status = StatusOf(error, reason);
  const MutexLock lock(mu_);
  any_ = true;
  if (status.ok()) {
    words_ = FullReason(reason);
    return;
  }
  if (status_.ok()) since_ = clock_->MonotonicNow();
  status_ = std::move(status);
}

void Refusal::Over() {
  if (!any_) return;
  const MutexLock lock(mu_);
  any_ = false;
  status_ = Status();
  words_.clear();
}

Status Refusal::status() const {
  const MutexLock lock(mu_);
  return status_;
}

Status Refusal::DurationRefused(std::chrono::milliseconds timeout) const {
  const MutexLock lock(mu_);
  return clock_->MonotonicNow() - since_ < timeout ? Status() : status_;
}

Status Refusal::Explain(const Status& call) const {
  if (call.code() != StatusCode::kUnavailable) return call;
  const MutexLock lock(mu_);
  if (!status_.ok()) return status_.WithContext(call.words());
  return WithBrokerAction(words_.empty() ? call : call.WithSuffix(" (" + words_ + ")"));
}

}  // namespace fensi::consumer
