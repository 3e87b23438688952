#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "operations/mappings/environment.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

TEST(Examples, LoadWithoutAWord) {
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(InTree("deploy/examples"))) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    Diagnostics diagnostics;
    const auto mappings = Load({{entry.path(), ReadFile(entry.path())}}, &diagnostics, operations::FileEnvironment());
    EXPECT_EQ(diagnostics.Text(), "") << entry.path();
    EXPECT_EQ(mappings.size(), 1u) << entry.path();
  }
  EXPECT_GE(files, 25u);
}

std::shared_ptr<const Index> Example(const std::string& name) {
  Diagnostics diagnostics;
  const auto mappings = Load({{name, ReadFile(InTree("deploy/examples/" + name + ".yaml"))}}, &diagnostics,
                             operations::FileEnvironment());
  return mappings.at(0).indexes.at(0);
}

TEST(Examples, OfTheFollowTableGiveTheFollowers) {
  using ::testing::ElementsAre;
  EXPECT_THAT(Entries(*Example("guanzhu-wide"), "a", {"f1:b=follows@7"}), ElementsAre("b f1:a=7"));
  EXPECT_THAT(Entries(*Example("guanzhu-wide-from"), "a", {"f1:from=b@7"}), ElementsAre("b f1:a=7"));
  EXPECT_THAT(Entries(*Example("followers"), "a", {"f:to=b@7"}), ElementsAre("b f:a=7"));
  EXPECT_THAT(Entries(*Example("followers-wide"), "a", {"f:b=follows@7"}), ElementsAre("b f:a=7"));
  EXPECT_THAT(Entries(*Example("guanzhu-naive"), "a", {"f1:from=b"}), ElementsAre("b f1:from=a"));
  EXPECT_THAT(Entries(*Example("guanzhu-tall"), "jadams", {"f1:from=tjefferson"}),
              ElementsAre("f3e3b6694cada339 f1:jadams=tjefferson"));
}

}  // namespace
}  // namespace fensi::mapping
