// How many random histories a property is tried on, and one way to say that it failed.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace fensi::testing {

/// FENSI_HISTORIES, or 2,000 for each rule and property; fewer where a sanitizer slows every step.
inline int Histories() {
  if (const char* wanted = std::getenv("FENSI_HISTORIES")) return std::atoi(wanted);
#if defined(__SANITIZE_THREAD__)
  return 20;
#elif defined(FENSI_SANITIZED)
  return 60;
#else
  return 2000;
#endif
}

/// rapidcheck reads its parameters once, from the environment.
inline const bool kParametersSet = [] {
  return setenv("RC_PARAMS", ("max_success=" + std::to_string(Histories())).c_str(), 0) == 0;
}();

template <typename Property>
void Holds(const std::string& name, Property property) {
  EXPECT_TRUE(rc::check(name, property));
}

}  // namespace fensi::testing
