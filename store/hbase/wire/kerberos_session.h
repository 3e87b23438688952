// Kerberos as a SaslSession, with Cyrus SASL and its plugin for GSSAPI; and the parts of it that need no library.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/kerberos.h"
#include "base/status.h"
#include "store/gateway_security.h"

namespace fensi::store {

/// One side of a SASL negotiation, and the protection of the bytes after it. Knows no connection.
///
/// Used by one thread at a time. Errors are kPermission for failed authentication, kConfiguration for what a person
/// must change, kUnavailable for unreachable servers.
class SaslSession {
 public:
  virtual ~SaslSession() = default;

  virtual std::string mechanism() const = 0;
  /// The first message. May block as long as the KDCs are silent.
  virtual Result<std::string> Start() = 0;
  /// The answer to a message of the gateway.
  virtual Result<std::string> Step(const std::string& challenge) = 0;
  /// True if no further message is needed.
  virtual bool done() const = 0;

  // Call these when done() is true. wraps(): whether bytes are wrapped; otherwise the next three are not called.
  virtual bool wraps() const = 0;
  /// Maximum number of bytes that are wrapped at once.
  virtual size_t most_plain_bytes() const = 0;
  /// Maximum length of a received wrapped message.
  virtual size_t most_wrapped_bytes() const = 0;
  /// The wrapped bytes, preceded by their length in four bytes. Valid until the next call.
  virtual Result<std::string_view> Wrap(std::string_view plain) = 0;
  virtual Result<std::string_view> Unwrap(std::string_view wrapped) = 0;
};

// Kerberos as a SaslSession.

/// Authenticates with the ticket or keytab of this process, to the principal service/host.
std::shared_ptr<SaslSession> MakeKerberosSession(const std::string& service, const std::string& host, Qop qop);

/// The protections that a gateway offers in its last challenge, for instance "auth-int" or "auth, auth-conf"; empty if
/// the form of the challenge is unknown.
std::string OfferedQops(std::string_view challenge);

/// `detail` is the library's error text. With a keytab only the KDC is needed for the next ticket.
Status FaultOfKerberos(const std::string& detail, bool has_keytab);

}  // namespace fensi::store
