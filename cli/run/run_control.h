// What the admin server of `fensi run` may change: the pause of its indexes. One wish after the other, on a thread of
// its own, since the store may have to be waited for.
//
// Thread-safe.
#pragma once

#include <optional>
#include <thread>
#include <utility>

#include "admin/control.h"
#include "base/mutex.h"
#include "cli/run/progress.h"

namespace fensi::cli {

class RunControl final : public admin::Control {
 public:
  /// `jobs` outlives it.
  explicit RunControl(const Jobs& jobs);
  ~RunControl() override;
  RunControl(const RunControl&) = delete;
  RunControl& operator=(const RunControl&) = delete;

  /// 409 while another wish is being carried out.
  void Carry(admin::Wish wish, Done done) override;

 private:
  void Work();
  admin::Verdict Do(const admin::Wish& wish);
  admin::Verdict Change(IndexJob* job, const std::string& words);
  bool ending();

  const Jobs& jobs_;
  Mutex mu_;
  Condition changed_;
  std::optional<std::pair<admin::Wish, Done>> asked_ ABSL_GUARDED_BY(mu_);
  bool busy_ ABSL_GUARDED_BY(mu_) = false;
  bool ending_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace fensi::cli
