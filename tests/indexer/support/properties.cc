#include "tests/indexer/support/properties.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>

namespace fensi::testing {
namespace {

// rapidcheck reads its parameters once, from the environment.
const bool kParametersSet = [] {
  return setenv("RC_PARAMS", ("max_success=" + std::to_string(Histories())).c_str(), 0) == 0;
}();

}  // namespace

int Histories() {
  if (const char* wanted = std::getenv("FENSI_HISTORIES")) return std::atoi(wanted);
#if defined(FENSI_SANITIZED_THREADS)
  return 20;
#elif defined(FENSI_SANITIZED)
  return 60;
#else
  return std::getenv("FENSI_LONG") == nullptr ? 200 : 5000;
#endif
}

void Holds(const std::string& name, const std::function<std::string()>& property) {
  ASSERT_TRUE(kParametersSet);
  EXPECT_TRUE(rc::check(name, [&] {
    const std::string wrong = property();
    if (!wrong.empty()) RC_FAIL(wrong);
  }));
}

}  // namespace fensi::testing
