// Reads the certificates and the keytab of a capture, and follows their changes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/kerberos.h"
#include "base/status.h"
#include "capture/capture.h"
#include "operations/access/content_watch.h"

namespace fensi::daemon {

/// PEM; empty: not used.
struct CertificateFiles {
  std::string cert, key, ca;
};

/// Absent without files. kInvalidArgument: a file is given without its counterpart; otherwise why a file cannot be
/// read.
Result<std::optional<capture::TlsPems>> ReadCertificates(const CertificateFiles& files);

struct RpcKerberosOptions {
  std::string keytab, principal;     // of the capture; empty: no Kerberos
  std::vector<std::string> allowed;  // accepted principals; empty: hbase/* of the same realm
  Qop qop = Qop::kAuth;              // minimum
  bool qop_given = false;
};

/// Absent without a keytab. kInvalidArgument: an option is given without its counterpart; otherwise why the file cannot
/// be used.
Result<std::optional<capture::KerberosOptions>> ReadKerberos(const RpcKerberosOptions& options);

using CertificateWatch = operations::ContentWatch<capture::TlsPems>;

/// Reports the result of a watch to the log of a capture.
std::function<void(const Status&, const capture::TlsPems&)> TellOfCertificates(capture::Notices notices);

}  // namespace fensi::daemon
