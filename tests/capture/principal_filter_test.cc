#include <gtest/gtest.h>

#include "capture/peer_filter.h"

namespace fensi::capture {
namespace {

TEST(PrincipalFilter, WithoutPrincipalsAllowsNobody) {
  EXPECT_FALSE(PrincipalFilter({}).Allows("hbase/rs1@REALM"));
  EXPECT_FALSE(PrincipalFilter({}).Allows(""));
}

TEST(PrincipalFilter, AllowsWhoIsNamedAndNobodyElse) {
  const PrincipalFilter filter({"hbase/rs1@REALM", "fensi/rs2@OTHER"});
  EXPECT_TRUE(filter.Allows("hbase/rs1@REALM"));
  EXPECT_TRUE(filter.Allows("fensi/rs2@OTHER"));
  for (const char* other :
       {"hbase/rs1@OTHER", "hbase/rs2@REALM", "hbase@REALM", "hbase/rs1@REALMX", "hbase/rs1", "HBASE/rs1@REALM"}) {
    EXPECT_FALSE(filter.Allows(other)) << other;
  }
  EXPECT_EQ(filter.Text(), "hbase/rs1@REALM, fensi/rs2@OTHER");
}

TEST(PrincipalFilter, AStarIsTheNameOfOneHost) {
  const PrincipalFilter filter({"hbase/*@REALM"});
  EXPECT_TRUE(filter.Allows("hbase/rs1.example.org@REALM"));
  for (const char* other :
       {"hbase/@REALM", "hbase@REALM", "hbase/a/b@REALM", "hbase/a@REALM@REALM", "hbase/a\\@REALM@REALM",
        "hbase/a\\/b@REALM", "xhbase/a@REALM", "hbase/a@REALM2", "hbase/a@SUB.REALM", "hbase/a@realm"}) {
    EXPECT_FALSE(filter.Allows(other)) << other;
  }
}

}  // namespace
}  // namespace fensi::capture
