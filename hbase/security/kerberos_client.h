// Kerberos as a client of HBase: the asking side of SASL's mechanism GSSAPI (RFC 4752).
//
// Uses the ticket of the environment or, with KRB5_CLIENT_KTNAME, a keytab: MIT's library then gets the next ticket
// before the last one ends. Used by one thread at a time; knows no connection.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/kerberos.h"
#include "base/status.h"
#include "hbase/security/gss.h"

namespace fensi::hbase {

struct KerberosTarget {
  /// "hbase": host and realm are the server's. "hbase/_HOST@REALM": as in HBase's configuration.
  std::string principal;
  std::string host;
  Qop qop = Qop::kAuthConf;
};

class KerberosClient {
 public:
  explicit KerberosClient(const KerberosTarget& target) : target_(target) {}
  ~KerberosClient();
  KerberosClient(const KerberosClient&) = delete;
  KerberosClient& operator=(const KerberosClient&) = delete;

  /// The first token for an empty challenge: may block as long as the KDCs are silent. Then the answer to each token of
  /// the server, which may be empty. Errors are kPermission (no ticket, or the server's token is wrong), kConfiguration
  /// (the server offers other protections) and kUnavailable (no KDC answers).
  Result<std::string> Step(std::string_view challenge);
  /// True if the server needs no further token.
  bool done() const { return step_ == Next::kNothing; }

  /// The server's principal that a ticket is asked for.
  const std::string& server() const { return server_; }

  // When done() is true.
  /// Our principal.
  const std::string& user() const { return user_; }
  bool wraps() const { return target_.qop != Qop::kAuth; }
  /// Maximum number of bytes that the server takes in one message.
  size_t most_plain_bytes() const { return most_plain_bytes_; }
  Result<std::string> Wrap(std::string_view plain) { return context_.Wrap(plain, seals()); }
  /// In place: `plain` is a view into `bytes`.
  Status Unwrap(std::string* bytes, std::string_view* plain) { return context_.Unwrap(bytes, target_.qop, plain); }

 private:
  enum class Next { kTicket, kLayers, kNothing };

  Status ImportServer();
  Result<std::string> AskForContext(std::string_view challenge);
  Status LearnUser();
  Result<std::string> Choose(std::string_view challenge);
  bool seals() const { return target_.qop == Qop::kAuthConf; }

  const KerberosTarget target_;
  gss_name_t name_ = GSS_C_NO_NAME;
  GssContext context_;
  Next step_ = Next::kTicket;
  std::string server_, user_;
  size_t most_plain_bytes_ = 0;
};

/// The error of a login that failed with these words of MIT's library: with the remedy, if there is one.
Status FaultOfLogin(const std::string& words, const std::string& server, bool has_keytab);

}  // namespace fensi::hbase
