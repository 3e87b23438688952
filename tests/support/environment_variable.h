// A variable of the environment for the time of a test.
#pragma once

#include <cstdlib>
#include <string>

namespace fensi::testing {

/// Sets a variable, and puts back what was there.
class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const std::string& value) : name_(name), before_(Value(name)) {
    setenv(name, value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }
  ~EnvironmentVariable() { setenv(name_, before_.c_str(), 1); }  // NOLINT(concurrency-mt-unsafe)
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

  static std::string Value(const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return value == nullptr ? "" : value;
  }

 private:
  const char* const name_;
  const std::string before_;
};

}  // namespace fensi::testing
