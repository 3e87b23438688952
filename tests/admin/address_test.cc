#include "admin/address.h"

#include <gtest/gtest.h>

namespace fensi::admin {
namespace {

TEST(AddressTest, IsWrittenAsItIsRead) {
  for (const char* text : {"127.0.0.1:16180", "0.0.0.0:0", "[::1]:65535", "unix:/run/fensi.sock", "none"}) {
    const Result<Address> address = ParseAddress(text);
    ASSERT_TRUE(address.ok()) << text << address.status().message();
    EXPECT_EQ(address->Text(), text);
  }
}

TEST(AddressTest, RefusesWhatIsNoPlaceToListenOn) {
  for (const char* text : {"", "127.0.0.1", "localhost:1", ":1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
                           "127.0.0.1:1x", "::1:80", "[127.0.0.1]:80", "[::1]", "unix:", "NONE", "host.example:80"}) {
    EXPECT_EQ(ParseAddress(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
  EXPECT_FALSE(ParseAddress("unix:/" + std::string(107, 'x')).ok());
  EXPECT_TRUE(ParseAddress("unix:/" + std::string(106, 'x')).ok());
}

}  // namespace
}  // namespace fensi::admin
