#include "cli/program/library_log.h"

#include <gmock/gmock.h>
#include <google/protobuf/stubs/common.h>
#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>

#include "consumer/codec/request.h"
#include "tests/support/matchers.h"

namespace fensi::cli {
namespace {

using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

/// A request whose text, the job that asks, is no UTF-8.
constexpr char kNoText[] = "\x62\x01\xFF";

class ProtobufsOwnLines : public ::testing::Test {
 protected:
  ProtobufsOwnLines() { SilenceProtobuf(); }
  ~ProtobufsOwnLines() override { google::protobuf::SetLogHandler(before_); }

 private:
  google::protobuf::LogHandler* const before_ = google::protobuf::SetLogHandler(nullptr);
};

TEST_F(ProtobufsOwnLines, AreNotToldOfAMessageThatIsRefusedInOursAnyway) {
  CaptureStderr();
  const Status refused = consumer::DecodeRequest("", kNoText).status();
  EXPECT_EQ(GetCapturedStderr(), "");
  EXPECT_THAT(refused.message(), HasSubstr("the message's 3 bytes are not"));
}

TEST_F(ProtobufsOwnLines, AreToldHarmlesslyWhereTheyEndTheProgram) {
  CaptureStderr();
  EXPECT_THROW(GOOGLE_LOG(FATAL) << "no way out\x1B[2J", google::protobuf::FatalException);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr(": no way out?[2J\n"));
}

}  // namespace
}  // namespace fensi::cli
