// A StatusSource that says what a test wants.
#pragma once

#include <string>
#include <vector>

#include "admin/status_source.h"

namespace fensi::admin {

class FixedSource final : public StatusSource {
 public:
  void Collect(metrics::Snapshot* snapshot) const override {
    for (int i = 0; i < series; ++i) snapshot->Set("fensi_events_total", {"index" + std::to_string(i)}, int64_t{i});
  }
  std::string Status() const override { return status; }
  std::string Version() const override { return "{\"version\":\"1\"}\n"; }
  std::string History() const override { return "{\"format\":1,\"indexes\":[]}\n"; }
  std::string Flags() const override { return "# default\n#--workers=4\n"; }
  std::vector<Check> Health() const override { return health; }
  std::vector<Check> Readiness() const override { return readiness; }

  int series = 1;
  std::string status = "{\"format\":1}\n";
  std::vector<Check> health = {{"main thread", ""}};
  std::vector<Check> readiness = {{"index a", ""}, {"index b", "no broker"}};
};

}  // namespace fensi::admin
