// Injects faults into the running program for tests: "the third put of the state table loses its reply".
//
// A plan is CALL:N=ACTION[,…]. CALL is put, state (a put to the state table), delete, get, scan, describe, next, begin,
// done, close or fence (a check whether the partition is still ours: if it fails, the partition is lost; without its
// reply, a loss goes unnoticed); N is the number of the call since the start of the process (1: the first), or * for
// every call. ACTION is
//   fail            the call is not made and fails as if the server were unreachable
//   lose            the call is made, its reply is lost
//   delay:MS        the call is made so much later
//   exit_before, exit_after   the process ends at once, without a message
// Thread-safe; Enter blocks only to delay. Shared by all decorators of one process.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"

namespace fensi::daemon {

class FaultPlan {
 public:
  /// Exit code of exit_before and exit_after: used for nothing else.
  static constexpr int kExitCode = 99;

  using Tell = std::function<void(const std::string&)>;

  /// kInvalidArgument names the error in the text. `tell` is called before the process ends.
  static Result<std::shared_ptr<FaultPlan>> Parse(const std::string& text, Tell tell = nullptr);

  /// The faults of one call: an error in place of the call, or in place of its answer.
  struct Fate {
    Status before;
    Status after;
    bool exit_after = false;
  };
  /// Counts the call; delays it or ends the process if the plan says so.
  Fate Enter(std::string_view call);
  /// Call after the call was made; may end the process.
  Status Leave(const Fate& fate) const;

 private:
  enum class Action { kFail, kLose, kDelay, kExitBefore, kExitAfter };
  struct Fault {
    std::string call;
    std::optional<int64_t> number;  // absent: every call
    Action action = Action::kFail;
    std::chrono::milliseconds delay{0};
  };

  static Result<Fault> ParseFault(const std::string& text);
  static bool ParseAction(const std::string& text, Fault* fault);
  std::vector<Fault> Due(std::string_view call);
  [[noreturn]] void ExitHere(const std::string& where) const;

  std::vector<Fault> faults_;  // immutable after Parse, as the next
  Tell tell_;

  Mutex mu_;
  std::map<std::string, int64_t, std::less<>> counts_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::daemon
