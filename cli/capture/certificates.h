// How region servers say who they are: the files with the certificates and the keytab of a capture, and what is done
// when certificates change.
#pragma once

#include <functional>
#include <optional>

#include "base/status.h"
#include "capture/capture.h"
#include "cli/access/content_watch.h"

namespace fensi::cli {

/// What --tls_cert_file and the other two name; absent without them. kInvalidArgument: one goes without another;
/// otherwise why a file cannot be read.
Result<std::optional<capture::TlsPems>> ReadCertificates();

/// What --rpc_keytab and the flags beside it say; absent without them. kInvalidArgument: one goes without another;
/// otherwise why the file cannot be used.
Result<std::optional<capture::KerberosOptions>> ReadKerberos();

using CertificateWatch = ContentWatch<capture::TlsPems>;

/// How the log of a capture tells what a watch found.
std::function<void(const Status&)> TellOfCertificates(capture::Notices notices);

}  // namespace fensi::cli
