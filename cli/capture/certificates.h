// The files with the certificates of a capture, and what is done when they change.
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

using CertificateWatch = ContentWatch<capture::TlsPems>;

/// How the log of a capture tells what a watch found.
std::function<void(const Status&)> TellOfCertificates(capture::Notices notices);

}  // namespace fensi::cli
