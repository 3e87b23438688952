// What the capture has to tell a person while it works. The library says it, the program decides how it is shown.
#pragma once

#include <functional>
#include <string>

namespace fensi::capture {

enum class Severity {
  kInfo,
  kWarning,
  kAlarm,  // rows may be missing downstream until a person acts
};

/// Called from any thread; returns at once.
using Notices = std::function<void(Severity, const std::string&)>;

}  // namespace fensi::capture
