#include "cli/admin/daemon_status.h"

#include <unistd.h>

#include "cli/admin/process.h"
#include "cli/flags/flags.h"
#include "cli/settings/settled_again.h"

namespace fensi::cli {

std::string DaemonStatus::Version() const { return VersionJson(); }

std::string DaemonStatus::Flags() const { return FlagsNow(); }

std::string DaemonStatus::History() const { return "{\"format\":1,\"step_ms\":1000,\"indexes\":[]}\n"; }

nlohmann::ordered_json DaemonStatus::ProcessJson() const {
  nlohmann::ordered_json json;
  json["format"] = 1;
  json["now_ms"] = clock_->WallMillis();
  json["process"] = {{"version", FENSI_VERSION}, {"pid", getpid()}, {"start_s", ProcessStartSeconds()}};
  if (!FLAGS_instance.empty()) json["process"]["instance"] = FLAGS_instance;
  json["stopping"] = stopping_.load();
  return json;
}

std::optional<std::chrono::milliseconds> DaemonStatus::SilentFor() const {
  constexpr std::chrono::seconds kTurnLimit{10};
  const std::chrono::milliseconds silent = clock_->SinceBoot() - last_turn_.load();
  if (silent > kTurnLimit) return silent;
  return std::nullopt;
}

std::vector<admin::Check> DaemonStatus::ProcessReadiness() const {
  if (stopping_) return {{"process", "is ending"}};
  return {};
}

}  // namespace fensi::cli
