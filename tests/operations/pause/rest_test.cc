// Whether the daemons of an index rest.
#include "operations/pause/rest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

using nlohmann::ordered_json;

Daemons DaemonsIn(const std::vector<std::string>& states) {
  Daemons daemons;
  for (const std::string& state : states) {
    const ordered_json index = {{"name", "fensi"}, {"state", state}};
    daemons.answered.push_back({"at:1", {{"indexes", ordered_json::array({index})}}});
  }
  return daemons;
}

TEST(Rest, IsThatOfAllDaemons) {
  EXPECT_EQ(*WhoMayWork(DaemonsIn({"paused", "stopped", "finished"}), "fensi"), "");
  for (const char* state : {"running", "starting", "waiting", "mismatch"}) {
    EXPECT_EQ(*WhoMayWork(DaemonsIn({"paused", state}), "fensi"),
              "the daemon at at:1 has the index in state '" + std::string(state) + "'");
  }
  EXPECT_EQ(WhoMayWork(DaemonsIn({"paused"}), "other").status().code(), StatusCode::kUnavailable);
}

TEST(Rest, OfADaemonThatCannotBeAskedIsNotKnown) {
  Daemons daemons = DaemonsIn({"paused"});
  daemons.faults.emplace_back(StatusCode::kPermission, "127.0.0.1:16183: the token is wrong");
  EXPECT_THAT(*WhoMayWork(daemons, "fensi"), testing::HasSubstr("16183"));
}

}  // namespace
}  // namespace fensi::operations
