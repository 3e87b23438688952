#include "store/hbase/wire/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace fensi::store {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::StartsWith;

/// What a pool says about a task that throws, without a connection.
template <typename Exception>
Status PoolAfter(const Exception& exception) {
  GatewayOptions options;
  options.host = "gateway1";
  ConnectionPool pool(options, 1);
  return pool.Run([&](Connection&) -> Status { throw exception; });
}

TEST(ConnectionPool, AnExceptionOfATaskNamesTheGatewayAndTheRemedy) {
  const Status memory = PoolAfter(std::bad_alloc());
  EXPECT_EQ(memory.code(), StatusCode::kInternal);
  EXPECT_THAT(memory.message(), AllOf(StartsWith("a call to gateway gateway1:9090: out of memory"),
                                      EndsWith("Give the process more memory")));
  const Status other = PoolAfter(std::logic_error("no such piece"));
  EXPECT_EQ(other.code(), StatusCode::kInternal);
  EXPECT_THAT(other.message(), AllOf(StartsWith("a call to gateway gateway1:9090: internal error: no such piece"),
                                     EndsWith("Report this line to the developers")));
}

}  // namespace
}  // namespace fensi::store
