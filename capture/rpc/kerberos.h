// Kerberos for region servers at a replication peer: the accepting side of SASL's mechanism GSSAPI (RFC 4752). The
// protection of messages is that of hbase/security/gss.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/kerberos.h"
#include "base/status.h"

namespace fensi::capture {

struct KerberosOptions {
  std::string keytab;                // a file; read at each handshake, so that new keys count at once
  std::string principal;             // ours: "fensi/capture1.example.org@EXAMPLE.ORG"
  std::vector<std::string> allowed;  // PrincipalFilter
  Qop least = Qop::kAuthConf;
};

/// One handshake, and then the protection of the bytes of its connection. One thread (the server's).
class KerberosSession {
 public:
  virtual ~KerberosSession() = default;

  /// Takes a token of the region server, and returns the answer; empty if the region server has the last token.
  /// Afterwards done() may be true. kPermission and kConfiguration have the reason of a failure.
  virtual Result<std::string> Step(std::string_view token) = 0;
  virtual bool done() const = 0;
  /// The likely objection of the region server, if it ends the connection now.
  virtual std::string CauseOfEnd() const = 0;

  /// When done() is true: the region server's principal, and the protection of the bytes.
  virtual const std::string& principal() const = 0;
  virtual Qop qop() const = 0;

  virtual Result<std::string> Wrap(std::string_view plain) = 0;
  /// In place: `plain` is a view into `bytes`.
  virtual Status Unwrap(std::string* bytes, std::string_view* plain) = 0;
};

/// Our key, and the accepted principals. Immutable after construction; shared by all connections.
class KerberosAcceptor {
 public:
  /// kConfiguration: the keytab has no key of the principal, or cannot be read.
  static Result<std::shared_ptr<const KerberosAcceptor>> Create(const KerberosOptions& options);
  virtual ~KerberosAcceptor() = default;

  /// The acceptor outlives it.
  virtual std::unique_ptr<KerberosSession> Begin() const = 0;
};

/// The remedy for `words`, the text of MIT's library for a failed handshake.
std::string AdviceOnHandshake(const std::string& words, const std::string& principal);

}  // namespace fensi::capture
