#include "daemon/status/daemon_status.h"

#include <unistd.h>

#include "daemon/admin/process.h"

namespace fensi::daemon {

std::string DaemonStatus::Version() const { return VersionJson(); }

std::string DaemonStatus::Flags() const { return facts_.flags ? facts_.flags() : ""; }

std::string DaemonStatus::History() const { return "{\"format\":1,\"step_ms\":1000,\"indexes\":[]}\n"; }

nlohmann::ordered_json DaemonStatus::ProcessJson() const {
  nlohmann::ordered_json json;
  json["format"] = 1;
  json["now_ms"] = clock_->WallMillis();
  json["process"] = {{"version", FENSI_VERSION}, {"pid", getpid()}, {"start_s", ProcessStartSeconds()}};
  if (!facts_.instance.empty()) json["process"]["instance"] = facts_.instance;
  json["stopping"] = stopping_.load();
  return json;
}

std::optional<std::chrono::milliseconds> DaemonStatus::SilentFor() const {
  constexpr std::chrono::seconds kTurnLimit{10};
  const std::chrono::milliseconds silent = clock_->MonotonicNow() - last_turn_.load();
  if (silent > kTurnLimit) return silent;
  return std::nullopt;
}

std::vector<admin::Check> DaemonStatus::ProcessReadiness() const {
  if (stopping_) return {{"process", "is ending"}};
  return {};
}

}  // namespace fensi::daemon
