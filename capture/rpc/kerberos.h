// Kerberos as region servers speak it to a replication peer: the accepting side of SASL's mechanism GSSAPI (RFC 4752),
// by the library of MIT. Why not by Cyrus SASL: decision 25.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/qop.h"
#include "base/status.h"

namespace fensi::capture {

/// The word of hbase.rpc.protection for it.
std::string_view ProtectionName(Qop qop);

struct KerberosOptions {
  std::string keytab;                // a file; read at each handshake, so that new keys count at once
  std::string principal;             // ours: "fensi/capture1.example.org@EXAMPLE.ORG"
  std::vector<std::string> allowed;  // PrincipalFilter
  Qop least = Qop::kAuthConf;
};

/// One handshake, and then what protects the bytes of its connection. One thread (the server's).
class KerberosSession {
 public:
  virtual ~KerberosSession() = default;

  /// Takes a token of the region server, and gives the answer; empty when it has the last word. Afterwards done() may
  /// be true. kPermission and kConfiguration say why there is no connection.
  virtual Result<std::string> Step(std::string_view token) = 0;
  virtual bool done() const = 0;
  /// What the region server did not like, if it ends the connection now instead of going on.
  virtual std::string CauseOfEnd() const = 0;

  /// Once done: who it is, and what protects the bytes.
  virtual const std::string& principal() const = 0;
  virtual Qop qop() const = 0;

  virtual Result<std::string> Wrap(std::string_view plain) = 0;
  /// In place: `plain` is a view into `bytes`.
  virtual Status Unwrap(std::string* bytes, std::string_view* plain) = 0;
};

/// Our key, and who may come. Fixed after construction; shared by all connections.
class KerberosAcceptor {
 public:
  /// kConfiguration: the keytab has no key of the principal, or cannot be read.
  static Result<std::shared_ptr<const KerberosAcceptor>> Create(const KerberosOptions& options);
  virtual ~KerberosAcceptor() = default;

  /// The acceptor outlives it.
  virtual std::unique_ptr<KerberosSession> Begin() const = 0;
};

/// `words` of MIT's library for a handshake that failed, and what to do.
std::string AdviceOnHandshake(const std::string& words, const std::string& principal);

}  // namespace fensi::capture
