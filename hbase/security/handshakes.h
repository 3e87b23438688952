// The security of the connections of one cluster: TLS, Kerberos, both, or neither.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/kerberos.h"
#include "base/mutex.h"
#include "base/tls_client.h"
#include "hbase/wire/connection.h"

namespace fensi::hbase {

/// As hbase.security.authentication=kerberos and hbase.rpc.protection of a Java client.
struct KerberosLogin {
  /// "hbase", or as in HBase's configuration: "hbase/_HOST@EXAMPLE.ORG".
  std::string region_servers;
  std::string masters;  // and of the registry; empty: as the region servers
  Qop qop = Qop::kAuthConf;
  /// As hbase.ipc.client.fallback-to-simple-auth-allowed: also servers without Kerberos are good.
  bool allow_simple = false;
};

struct SecurityOptions {
  std::optional<KerberosLogin> kerberos;
  std::shared_ptr<TlsClientContexts> tls;  // null: none
};

/// Decides when the refusal of a server counts. Thread-safe. Once a server has accepted us, a refusal of any server
/// passes (kUnavailable) until that server has refused us for half a minute.
class RefusalWindow {
 public:
  /// `status`: how the handshake with the server ended, or ok for its first answer.
  Status Judge(const std::string& server, const Status& status, std::chrono::steady_clock::time_point now);

 private:
  struct Refusals {
    std::chrono::steady_clock::time_point first, last;
  };

  Mutex mu_;
  bool succeeded_ ABSL_GUARDED_BY(mu_) = false;
  std::map<std::string, Refusals> refused_ ABSL_GUARDED_BY(mu_);  // since it last accepted us
};

/// Makes the handshake for a service. Thread-safe. After the first success a server may refuse us for half a minute
/// before that counts (kUnavailable until then): files, keys and servers are changed one after the other.
std::function<Handshake(const std::string& service)> MakeHandshakes(const SecurityOptions& options);

}  // namespace fensi::hbase
