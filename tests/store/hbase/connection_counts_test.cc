#include <gtest/gtest.h>

#include "store/gateway_security.h"
#include "store/open_store.h"
#include "tests/store/hbase/fake_gateway.h"
#include "tests/support/matchers.h"

namespace fensi::store {
namespace {

TEST(ConnectionCounts, TellOfEachConnectionWhenItIsMadeAtWorkAndGone) {
  auto gateway = std::make_unique<FakeGateway>();
  const auto counts = std::make_shared<ConnectionCounts>();
  int64_t busy = 0;
  gateway->handler().on_call = [&] { busy = counts->busy; };
  {
    const auto store =
        OpenStore("thrift://127.0.0.1:" + std::to_string(gateway->port()), {.connections = 4, .counts = counts});
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    EXPECT_EQ(counts->made, 0) << "nobody has asked it anything";
    const GetRequest request{.row = "r"};
    for (int i = 0; i < 20; ++i) ASSERT_TRUE((*store)->Get("t", {&request, 1}).ok());
    EXPECT_GE(counts->made, 1);
    EXPECT_LE(counts->made, 4) << "a connection serves many calls";
    EXPECT_EQ(counts->open, counts->made);
    EXPECT_EQ(busy, 1);
    EXPECT_EQ(counts->busy, 0);

    const int64_t made = counts->made;
    gateway.reset();
    for (int i = 0; i < 20; ++i) EXPECT_FALSE((*store)->Get("t", {&request, 1}).ok());
    EXPECT_EQ(counts->made, made) << "what does not come about is none";
    EXPECT_LT(counts->open, made);
  }
  EXPECT_EQ(counts->open, 0);
}

TEST(ConnectionCounts, OfCallsThatFailAreThoseOfTheConnectionsThatWereMadeAnew) {
  FakeGateway gateway;
  const auto counts = std::make_shared<ConnectionCounts>();
  const auto store =
      OpenStore("thrift://127.0.0.1:" + std::to_string(gateway.port()), {.connections = 1, .counts = counts});
  ASSERT_TRUE(store.ok());
  gateway.handler().on_get = [](auto&, const auto&) { throw GatewayError("java.io.IOException: no"); };
  const GetRequest request{.row = "r"};
  for (int i = 0; i < 3; ++i) EXPECT_FALSE((*store)->Get("t", {&request, 1}).ok());
  EXPECT_GE(counts->made, 3) << "each fault ends its connection";
  EXPECT_LE(counts->open, 1) << "of those the last may have been asked what is wrong";
}

}  // namespace
}  // namespace fensi::store
