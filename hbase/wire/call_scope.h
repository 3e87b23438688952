// Limits of the calls of one caller: their time, and its permission to make them.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>

#include "base/status.h"

namespace fensi::hbase {

struct CallScope {
  std::chrono::milliseconds call_timeout{60'000};  // of each call to a server
  /// Called right before each call is sent, on any thread, and ten times a second while an answer is pending; its error
  /// ends the wait. Null: granted.
  const std::function<Status()>* permission = nullptr;

  /// The end of all calls of this scope.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();

  /// Of a call that begins now; at least 1 ms.
  std::chrono::milliseconds Time() const {
    const auto left = until - std::chrono::steady_clock::now();
    if (left >= call_timeout) return call_timeout;
    return std::max(std::chrono::ceil<std::chrono::milliseconds>(left), std::chrono::milliseconds(1));
  }
  Status Granted() const { return permission != nullptr && *permission ? (*permission)() : Status(); }
};

}  // namespace fensi::hbase
