// What is done about each exception of a server: docs/hbase-client.md has the same table.
#include "hbase/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace fensi::hbase {
namespace {

RemoteError Of(const std::string& name, const std::string& message = "") {
  return {.exception = "org.apache.hadoop.hbase." + name, .message = message};
}

TEST(Errors, OfARegionThatIsElsewhereMakeItsLocationForgotten) {
  for (const char* name : {"NotServingRegionException", "regionserver.WrongRegionException"}) {
    EXPECT_EQ(RemedyFor(Of(name)), Remedy::kForgetRegion) << name;
  }
}

TEST(Errors, OfAServerThatEndsOrBeginsMakeAllItsLocationsForgotten) {
  for (const char* name : {"ipc.ServerNotRunningYetException", "regionserver.RegionServerStoppedException",
                           "regionserver.RegionServerAbortedException"}) {
    EXPECT_EQ(RemedyFor(Of(name)), Remedy::kForgetServer) << name;
  }
}

TEST(Errors, OfWhatPassesAreWaitedFor) {
  for (const char* name : {"exceptions.RegionOpeningException", "RegionTooBusyException", "PleaseHoldException"}) {
    EXPECT_EQ(RemedyFor(Of(name)), Remedy::kPause) << name;
  }
}

TEST(Errors, OfAnOverloadedServerAreWaitedForLonger) {
  for (const char* name : {"CallQueueTooBigException", "CallDroppedException"}) {
    EXPECT_EQ(RemedyFor(Of(name)), Remedy::kLongPause) << name;
  }
  RemoteError busy = Of("RegionTooBusyException");
  busy.overloaded = true;
  EXPECT_EQ(RemedyFor(busy), Remedy::kLongPause);
  RemoteError unknown = Of("NewlyInventedException");
  unknown.overloaded = true;
  EXPECT_EQ(RemedyFor(unknown), Remedy::kLongPause);
}

TEST(Errors, OfAQuotaAreHandedUp) {
  for (const char* name : {"quotas.RpcThrottlingException", "quotas.SpaceLimitingException"}) {
    EXPECT_EQ(RemedyFor(Of(name)), Remedy::kThrottled) << name;
    EXPECT_EQ(CodeOf(Of(name)), StatusCode::kUnavailable) << name;
  }
}

TEST(Errors, OfAnAnswerThatIsTooLargeAreFollowedByTheRestAtOnce) {
  for (const char* name : {"MultiActionResultTooLarge", "RetryImmediatelyException"}) {
    EXPECT_EQ(RemedyFor(Of(name)), Remedy::kAtOnce) << name;
  }
}

TEST(Errors, OfAScannerMakeItOpenedAgain) {
  for (const char* name : {"UnknownScannerException", "exceptions.OutOfOrderScannerNextException",
                           "exceptions.ScannerResetException", "regionserver.LeaseException"}) {
    RemoteError error = Of(name);
    error.do_not_retry = true;  // as HBase says of them
    EXPECT_EQ(RemedyFor(error), Remedy::kReopenScanner) << name;
  }
}

TEST(Errors, ThatAreFinalSayWhatTheyAre) {
  const std::vector<std::pair<const char*, StatusCode>> kFinal = {
      {"regionserver.NoSuchColumnFamilyException", StatusCode::kConfiguration},
      {"exceptions.FailedSanityCheckException", StatusCode::kRejected},
      {"security.AccessDeniedException", StatusCode::kPermission},
      {"TableNotFoundException", StatusCode::kNotFound},
      {"TableNotEnabledException", StatusCode::kUnavailable},
      {"TableExistsException", StatusCode::kAlreadyExists},
      {"DoNotRetryIOException", StatusCode::kRejected}};
  for (const auto& [name, code] : kFinal) {
    EXPECT_EQ(RemedyFor(Of(name)), Remedy::kFinal) << name;
    EXPECT_EQ(CodeOf(Of(name)), code) << name;
  }
}

TEST(Errors, OfAnUnknownClassAreFinalOnlyIfTheServerSaysSo) {
  RemoteError error{.exception = "java.lang.NewlyInventedException"};
  EXPECT_EQ(RemedyFor(error), Remedy::kUnknownClass);
  error.do_not_retry = true;
  EXPECT_EQ(RemedyFor(error), Remedy::kFinal);
  EXPECT_EQ(CodeOf(error), StatusCode::kRejected);
}

TEST(Errors, OfAMoveSayWhereTheRegionIs) {
  const RemoteError moved = Of("exceptions.RegionMovedException",
                               "Region moved to: hostname=rs2.example port=16020 startCode=1700000000123. As of "
                               "locationSeqNum=42.");
  EXPECT_EQ(RemedyFor(moved), Remedy::kFollowMove);
  const auto move = MoveOf(moved);
  ASSERT_TRUE(move.has_value());
  EXPECT_EQ(move->host, "rs2.example");
  EXPECT_EQ(move->port, 16020);
  EXPECT_EQ(move->start_code, 1700000000123U);
  EXPECT_EQ(move->sequence, 42);
}

TEST(Errors, OfAMoveThatCannotBeReadSayNothing) {
  for (const char* text : {"", "Region moved to: hostname= port=1 startCode=1. As of locationSeqNum=1.",
                           "Region moved to: hostname=h port=x startCode=1. As of locationSeqNum=1.",
                           "Region moved to: hostname=h port=70000 startCode=1. As of locationSeqNum=1.",
                           "Region moved to: hostname=h port=1 startCode=1."}) {
    EXPECT_FALSE(MoveOf(Of("exceptions.RegionMovedException", text)).has_value()) << text;
  }
}

TEST(Errors, ConcernTheTableWhereNoRowIsToBlame) {
  EXPECT_TRUE(ConcernsTable(Of("DoNotRetryIOException", "region is read only")));
  EXPECT_TRUE(ConcernsTable(Of("TableNotEnabledException")));
  EXPECT_TRUE(ConcernsTable(Of("security.AccessDeniedException")));
  EXPECT_FALSE(ConcernsTable(Of("DoNotRetryIOException", "Cell with size 11000000 exceeds limit of 10485760 bytes")));
  EXPECT_FALSE(ConcernsTable(Of("regionserver.NoSuchColumnFamilyException")));
  EXPECT_FALSE(ConcernsTable(
      Of("DoNotRetryIOException", "Cell[region is read only/f:q/1/Put] with size 11 exceeds limit of 10 bytes")));
}

TEST(Errors, OfACellThatIsTooLargeAreKnownByTheEndOfTheirText) {
  EXPECT_TRUE(IsOfOneCell(Of("DoNotRetryIOException", "Cell[r/f:q/1/Put] with size 11 exceeds limit of 10 bytes")));
  for (const char* text :
       {"Cell[ exceeds limit of 10 bytes/f:q] is refused", "row exceeds limit of bytes", " bytes", ""}) {
    EXPECT_FALSE(IsOfOneCell(Of("DoNotRetryIOException", text))) << text;
  }
  EXPECT_FALSE(IsOfOneCell(Of("TableNotEnabledException", "a exceeds limit of 10 bytes")));
}

TEST(Errors, OfATableThatHBaseRefusesPlainlyPassWhenItIsRepaired) {
  EXPECT_EQ(CodeOfTable(Of("DoNotRetryIOException")), StatusCode::kUnavailable);
  EXPECT_EQ(CodeOfTable(Of("security.AccessDeniedException")), StatusCode::kPermission);
}

TEST(Errors, AreShownByTheNameOfTheirClass) {
  EXPECT_EQ(
      ErrorText(Of("NotServingRegionException", "t,,1.abc. is not online")),
      "NotServingRegionException: t,,1.abc. is not online. If the error lasts, see the regions in transition on the "
      "master's web page");
  EXPECT_EQ(ErrorText({.exception = "Plain"}), "Plain. If the error lasts, read the log of that server");
  EXPECT_EQ(ErrorText(Of("TableExistsException")), "TableExistsException");
}

TEST(Errors, OfCallsAreQuotationsBecauseTheyNameRows) {
  const std::string action = ". If the error lasts, see the regions in transition on the master's web page";
  EXPECT_EQ(ErrorWords(Of("NotServingRegionException", "t,row,1.abc. is not online")).open(),
            "NotServingRegionException: [hidden]" + action);
  EXPECT_EQ(ErrorWords(Of("DoNotRetryIOException", "row of 9 MB")).open(), "DoNotRetryIOException: [hidden]");
  EXPECT_EQ(ErrorWords(Of("DoNotRetryIOException", "x: region is read only")).open(),
            "DoNotRetryIOException: region is read only");
  EXPECT_EQ(ErrorWords(Of("TableExistsException", "t")).open(), "TableExistsException: t");
}

}  // namespace
}  // namespace fensi::hbase
