#include "store/hbase/wire/thrift_call.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/store/hbase/fake_gateway.h"
#include "tests/support/matchers.h"

namespace fensi::store {
namespace {

using apache::thrift::TApplicationException;
using apache::thrift::protocol::TProtocolException;
using apache::thrift::transport::TTransportException;

template <typename Exception>
StatusCode CodeOf(const Exception& exception) {
  return RunThrift("put", [&] { throw exception; }).status.code();
}

StatusCode CodeOfGateway(const std::string& message) { return CodeOf(GatewayError(message)); }

struct GatewayFault {
  const char* name;
  const char* message;
  StatusCode code;
};
class FaultsOfTheGateway : public ::testing::TestWithParam<GatewayFault> {};

TEST_P(FaultsOfTheGateway, AreWhatTheirNameSays) { EXPECT_EQ(CodeOfGateway(GetParam().message), GetParam().code); }

INSTANTIATE_TEST_SUITE_P(
    All, FaultsOfTheGateway,
    ::testing::Values(
        GatewayFault{"an_unknown_family", "Failed 1 action: NoSuchColumnFamilyException: 1 time",
                     StatusCode::kRejected},
        GatewayFault{"an_absent_namespace", "org.apache.hadoop.hbase.NamespaceNotFoundException: n",
                     StatusCode::kNotFound},
        GatewayFault{"a_second_namespace", "org.apache.hadoop.hbase.NamespaceExistException: n",
                     StatusCode::kAlreadyExists},
        GatewayFault{"an_absent_table", "org.apache.hadoop.hbase.TableNotFoundException: t", StatusCode::kNotFound},
        GatewayFault{"a_second_table", "org.apache.hadoop.hbase.TableExistsException: t", StatusCode::kAlreadyExists},
        GatewayFault{"a_denied_access", "org.apache.hadoop.hbase.security.AccessDeniedException: no",
                     StatusCode::kPermission},
        GatewayFault{"a_failed_sanity_check", "org.apache.hadoop.hbase.regionserver.FailedSanityCheckException",
                     StatusCode::kRejected},
        GatewayFault{"an_illegal_argument", "java.lang.IllegalArgumentException: versions must be positive",
                     StatusCode::kRejected},
        GatewayFault{"what_must_not_be_retried", "org.apache.hadoop.hbase.DoNotRetryIOException: no",
                     StatusCode::kRejected},
        GatewayFault{"a_disabled_table", "t is disabled.", StatusCode::kUnavailable},
        GatewayFault{"anything_else", "NotServingRegionException", StatusCode::kUnavailable}),
    [](const auto& fault) { return std::string(fault.param.name); });

TEST(FaultRules, OfWordsOfTheGatewayThatMayQuoteRowsTheLogHasTheCauses) {
  const auto logged = [](const std::string& message) {
    return RunThrift("put", [&] { throw GatewayError(message); }).status.words().open();
  };
  EXPECT_EQ(logged("org.apache.hadoop.hbase.NotServingRegionException: t,row-4711,1.a. is not online"),
            "put: org.apache.hadoop.hbase.NotServingRegionException: [hidden]");
  EXPECT_EQ(logged("java.io.IOException"), "put: java.io.IOException");
  EXPECT_EQ(logged("Failed 1 action: row 'row-4711'"), "put: [hidden]");
  EXPECT_EQ(logged("Failed 2 actions: org.apache.hadoop.hbase.DoNotRetryIOException: region is read only; "
                   "org.apache.hadoop.hbase.DoNotRetryIOException: row-4711Exception"),
            "put: org.apache.hadoop.hbase.DoNotRetryIOException, region is read only: [hidden]");
  EXPECT_EQ(logged("java.lang.IllegalArgumentException: row-4711"),
            "put: java.lang.IllegalArgumentException: [hidden]");
  EXPECT_EQ(logged("org.apache.hadoop.hbase.security.AccessDeniedException: user 'u', table t"),
            "put: org.apache.hadoop.hbase.security.AccessDeniedException: user 'u', table t");
}

TEST(FaultRules, AnUnknownMethodIsAWrongServer) {
  const auto call = [] {
    throw TApplicationException(TApplicationException::UNKNOWN_METHOD, "Invalid method name: 'putMultiple'");
  };
  const Status status = RunThrift("put", call).status;
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("Thrift2"));
}
TEST(FaultRules, AnInternalErrorOfTheGatewayMayPass) {
  EXPECT_EQ(CodeOf(TApplicationException(TApplicationException::INTERNAL_ERROR, "x")), StatusCode::kUnavailable);
}
TEST(FaultRules, AConfusedAnswerMayPass) {
  EXPECT_EQ(CodeOf(TApplicationException(TApplicationException::BAD_SEQUENCE_ID, "x")), StatusCode::kUnavailable);
}
TEST(FaultRules, ABrokenConnectionMayPass) {
  EXPECT_EQ(CodeOf(TTransportException(TTransportException::TIMED_OUT, "x")), StatusCode::kUnavailable);
}
TEST(FaultRules, WhatIsNoThriftMayPass) {
  EXPECT_EQ(CodeOf(TProtocolException(TProtocolException::BAD_VERSION, "x")), StatusCode::kUnavailable);
}
TEST(FaultRules, AnyOtherExceptionIsOurFault) { EXPECT_EQ(CodeOf(std::bad_alloc()), StatusCode::kInternal); }

/// Whom a refusal of a write may concern beside the table and the servers.
Suspect SuspectOfGateway(const std::string& message) {
  return RunThrift("put", [&] { throw GatewayError(message); }).suspect;
}

TEST(FaultRules, OnlyWhatIsListedMayBeARowsFault) {
  const std::string sanity = "org.apache.hadoop.hbase.exceptions.FailedSanityCheckException: ";
  EXPECT_EQ(SuspectOfGateway("DoNotRetryIOException: Cell[r/f:q] with size 20 exceeds limit of 10 bytes"),
            Suspect::kRow);
  EXPECT_EQ(SuspectOfGateway(sanity + "Timestamp for KV out of range r/f:q/99 (too.new=10000)"), Suspect::kTime);
  EXPECT_EQ(SuspectOfGateway("IllegalArgumentException: 1 time"), Suspect::kUnclear);
  for (const char* of_the_table :
       {"DoNotRetryIOException: region is read only", "DoNotRetryIOException: Coprocessor: 'Guard' threw: no",
        "RegionTooBusyException: Over memstore limit", "AccessDeniedException: no", "NotServingRegionException"}) {
    EXPECT_EQ(SuspectOfGateway(of_the_table), Suspect::kNobody) << of_the_table;
  }
  EXPECT_EQ(SuspectOfGateway(sanity + "something else"), Suspect::kNobody);
}
TEST(FaultRules, LackOfMemoryHereIsNoRowsFault) {
  EXPECT_EQ(RunThrift("put", [] { throw std::bad_alloc(); }).suspect, Suspect::kNobody);
}

TEST(FaultRules, WhatIsTooMuchForOneAnswerIsAskedForInSmallerOnes) {
  for (const char* too_much :
       {"org.apache.hadoop.hbase.client.RowTooBigException: Max row size allowed: 1, but the row is bigger than that.",
        "Failed 1 action: org.apache.hadoop.hbase.MultiActionResultTooLarge: Max size exceeded: 1 time",
        "org.apache.hadoop.hbase.DoNotRetryIOException: InvalidProtocolBufferException: Protocol message was too "
        "large"}) {
    EXPECT_EQ(SuspectOfGateway(too_much), Suspect::kReplySize) << too_much;
    EXPECT_EQ(CodeOfGateway(too_much), StatusCode::kUnavailable) << too_much;
  }
  EXPECT_EQ(SuspectOfGateway("RequestTooBigException: RPC data length of 300000000 received from x"), Suspect::kRow);
}

TEST(FaultRules, EndEveryKindWithARuleForAll) {
  std::set<FaultKind> ended;
  for (const FaultRule& rule : FaultRules()) {
    EXPECT_FALSE(ended.contains(rule.kind)) << "no fault reaches the rule for \"" << rule.part << "\"";
    if (rule.part.empty()) ended.insert(rule.kind);
  }
  EXPECT_EQ(ended.size(), 5U);
}

TEST(RunThrift, TellsWhatWasDoneAndWhyInOneLineWithoutTheStack) {
  const auto call = [] { throw GatewayError("it broke\n\tat java.lang.Thread\nby itself"); };
  const Status status = RunThrift("put to t", call).status;
  EXPECT_EQ(status.ToString(), "unavailable: put to t: it broke; by itself");
}

}  // namespace
}  // namespace fensi::store
