#include "capture/peer_filter.h"

#include <gtest/gtest.h>

namespace fensi::capture {
namespace {

bool Allows(const std::vector<std::string>& networks, const char* address) {
  const Result<PeerFilter> filter = PeerFilter::Parse(networks);
  EXPECT_TRUE(filter.ok()) << filter.status().ToString();
  return filter.ok() && filter->Allows(boost::asio::ip::make_address(address));
}

TEST(PeerFilter, OfNoNetworkAllowsEverybody) {
  EXPECT_TRUE(Allows({}, "192.0.2.1"));
  EXPECT_TRUE(Allows({}, "2001:db8::1"));
}

TEST(PeerFilter, AllowsOnlyItsNetworks) {
  const std::vector<std::string> networks = {"10.1.0.0/16", "192.0.2.7", "2001:db8::/32"};
  for (const char* inside : {"10.1.255.255", "192.0.2.7", "2001:db8:1::1", "::ffff:10.1.2.3"}) {
    EXPECT_TRUE(Allows(networks, inside)) << inside;
  }
  for (const char* outside : {"10.2.0.0", "192.0.2.8", "2001:db9::1", "::1", "::ffff:10.2.0.1"}) {
    EXPECT_FALSE(Allows(networks, outside)) << outside;
  }
}

TEST(PeerFilter, RefusesWhatIsNoNetwork) {
  for (const char* bad :
       {"", "10.1.0.1/16", "10.0.0.0/33", "10.0.0/8", "example.org", "10.0.0.0/", "2001:db8::1/32", "::/129"}) {
    EXPECT_EQ(PeerFilter::Parse({"10.0.0.0/8", bad}).status().code(), StatusCode::kInvalidArgument) << bad;
  }
}

}  // namespace
}  // namespace fensi::capture
