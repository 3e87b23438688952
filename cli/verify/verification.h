// One comparison of `fensi verify` on a thread of its own, while this one waits for signals and shows how far it is.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/clock.h"
#include "cli/program/shown_rate.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/comparison.h"

namespace fensi::cli {

class Verification {
 public:
  /// `incarnation`: of the index; empty: nobody has begun it. What is handed in outlives it.
  Verification(const mapping::Index* index, const std::string& incarnation, std::shared_ptr<store::Store> store,
               sweep::CompareOptions options, sweep::FindingSink* sink);

  /// Until it came to its end or a stop signal ended it (kCancelled). On the thread that waits for signals.
  Status Run();
  const sweep::Comparison& comparison() const { return *comparison_; }

 private:
  Status GoOn() const;
  void Stop();
  void ShowProgress();
  std::string ProgressLine(double rows_per_second) const;

  const mapping::Index* const index_;
  Clock* const clock_;
  const std::shared_ptr<store::Store> store_;
  std::atomic<bool> stopped_{false};
  std::shared_ptr<store::Store> guarded_;  // over store_
  std::unique_ptr<store::Store> retrying_;
  std::unique_ptr<sweep::Comparison> comparison_;
  ShownRate rate_;
};

}  // namespace fensi::cli
