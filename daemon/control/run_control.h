// Applies changes to a running `fensi run`: the pause of its indexes, and which indexes it runs. One request after the
// other, on a thread of its own, because servers may be slow.
//
// Thread-safe.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "admin/status_source.h"
#include "base/mutex.h"
#include "base/status.h"
#include "daemon/indexes/index_run_list.h"

namespace fensi::daemon {

/// The answer to a change of a pause that failed. 503: the store may still apply the change. 500: it will not.
admin::Verdict NotChanged(const std::string& index, const Status& why);

class RunControl final : public admin::Control {
 public:
  /// Ends soon after the process starts to end (`ending`).
  using Reload = std::function<admin::Verdict(const std::function<bool()>& ending)>;

  struct Options {
    bool ends = false;  // the run ends by itself
    /// The error in the reason of a pause, as a sentence; empty: none. Any thread.
    std::function<std::string(const std::string& reason)> fault_of_reason;
  };

  /// `runs` outlives it; `reload` is called on its thread.
  RunControl(const IndexRunList& runs, Options options, Reload reload);
  ~RunControl() override;
  RunControl(const RunControl&) = delete;
  RunControl& operator=(const RunControl&) = delete;

  /// 409 while another request is running.
  void Carry(admin::Wish wish, Done done) override;
  /// False, without any effect, while another request is running.
  bool Try(admin::Wish wish, const Done& done);
  /// Waits for the end of the running request, as soon as possible, and accepts no more.
  void End();

 private:
  void Work();
  admin::Verdict Do(const admin::Wish& wish);
  admin::Verdict DoPause(const admin::Wish& wish);
  admin::Verdict Change(IndexRun* run, const std::string& words);
  bool ending();

  const IndexRunList& runs_;
  const Options options_;
  const Reload reload_;
  Mutex mu_;
  Condition changed_;
  std::optional<std::pair<admin::Wish, Done>> asked_ ABSL_GUARDED_BY(mu_);
  bool busy_ ABSL_GUARDED_BY(mu_) = false;
  bool ending_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace fensi::daemon
