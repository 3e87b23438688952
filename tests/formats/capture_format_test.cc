// What a capture leaves in ZooKeeper, for HBase and for other captures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/zookeeper/agreement.h"
#include "capture/zookeeper/cluster_id.h"
#include "tests/formats/golden.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

capture::Agreement FullAgreement() {
  return {.kafka = "kafka-1",
          .source = "source-2",
          .message_bytes = 1'000'000,
          .topics = {{"t", "t.changes"}, {"space:u", "u"}},
          .dropped = {"gone"}};
}

TEST(CaptureFormat, OfTheZnodesIsWhatItAlwaysWas) {
  ExpectGolden("capture", 1,
               {{"ROOT/capture", capture::AgreementText(FullAgreement())},
                {"ROOT/hbaseid of /fensi", capture::ClusterIdData(capture::PeerUuid("/fensi"))}});
}

TEST(CaptureFormat, OfTheAgreementIsReadAsItWasMeant) {
  const Result<capture::Agreement> read = capture::ParseAgreement(Golden("capture", 1)[0].bytes);
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(*read, FullAgreement());
}

TEST(CaptureFormat, OfAnotherVersionIsRefusedWithTheRemedy) {
  std::string text = Golden("capture", 1)[0].bytes;
  text.replace(text.find(" 1\n"), 2, " 2");
  EXPECT_EQ(capture::ParseAgreement(text).status().code(), StatusCode::kConfiguration);
  EXPECT_THAT(capture::ParseAgreement(text).status().message(), HasSubstr("Stop all captures of this --znode"));
}

}  // namespace
}  // namespace fensi::testing
