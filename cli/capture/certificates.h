// The files with the certificates of a capture, and what is done when they change.
//
// One thread.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "base/clock.h"
#include "base/status.h"
#include "capture/capture.h"

namespace fensi::cli {

/// What --tls_cert_file and the other two name; absent without them. kInvalidArgument: one goes without another;
/// otherwise why a file cannot be read.
Result<std::optional<capture::TlsPems>> ReadCertificates();

/// Looks now and then whether the files say something else, and has that used. Files that are not right, perhaps
/// because they are being exchanged, are told once and leave everything as it is.
class CertificateWatch {
 public:
  using Read = std::function<Result<std::optional<capture::TlsPems>>()>;
  using Use = std::function<Status(const capture::TlsPems&)>;

  /// `now`: what is in use.
  CertificateWatch(std::optional<capture::TlsPems> now, Read read, Use use, capture::Notices notices, Clock* clock);

  /// Call it often. Blocks on the file system, every ten seconds.
  void Tick();

 private:
  Status Look();

  const Read read_;
  const Use use_;
  const capture::Notices notices_;
  Clock* const clock_;
  std::optional<capture::TlsPems> now_;
  std::chrono::milliseconds next_;
  std::string told_;
};

}  // namespace fensi::cli
