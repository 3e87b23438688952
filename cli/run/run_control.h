// What may be changed of a running `fensi run`: the pause of its indexes, and which it runs. One wish after the other,
// on a thread of its own, since the servers may have to be waited for.
//
// Thread-safe.
#pragma once

#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "admin/control.h"
#include "base/mutex.h"
#include "cli/run/index_run_list.h"

namespace fensi::cli {

class RunControl final : public admin::Control {
 public:
  /// Ends soon after the process is (`ending`).
  using Reload = std::function<admin::Verdict(const std::function<bool()>& ending)>;

  /// `runs` outlives it; `reload` is called on its thread.
  RunControl(const IndexRunList& runs, Reload reload);
  ~RunControl() override;
  RunControl(const RunControl&) = delete;
  RunControl& operator=(const RunControl&) = delete;

  /// 409 while another wish is being carried out.
  void Carry(admin::Wish wish, Done done) override;
  /// False, and nothing is done, while another wish is being carried out.
  bool Try(admin::Wish wish, const Done& done);
  /// Waits until what is being carried out has ended, as soon as it can, and takes no more.
  void End();

 private:
  void Work();
  admin::Verdict Do(const admin::Wish& wish);
  admin::Verdict DoPause(const admin::Wish& wish);
  admin::Verdict Change(IndexRun* run, const std::string& words);
  bool ending();

  const IndexRunList& runs_;
  const Reload reload_;
  Mutex mu_;
  Condition changed_;
  std::optional<std::pair<admin::Wish, Done>> asked_ ABSL_GUARDED_BY(mu_);
  bool busy_ ABSL_GUARDED_BY(mu_) = false;
  bool ending_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace fensi::cli
