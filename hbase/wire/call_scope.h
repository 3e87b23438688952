// Limits of the calls of one caller: their time, and its permission to make them.
#pragma once

#include <chrono>
#include <functional>

#include "base/status.h"

namespace fensi::hbase {

struct CallScope {
  std::chrono::milliseconds call_timeout{60'000};  // of each call to a server
  /// Called right before each call is sent, on any thread, and ten times a second while an answer is pending; its error
  /// ends the wait. Null: granted.
  const std::function<Status()>* permission = nullptr;

  Status Granted() const { return permission != nullptr && *permission ? (*permission)() : Status(); }
};

}  // namespace fensi::hbase
