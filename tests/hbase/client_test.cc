// The client against a cluster inside the test: every call × every behaviour, and what it does about regions and
// servers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "hbase/cluster.h"
#include "hbase/who_answers.h"
#include "tests/hbase/calls.h"
#include "tests/hbase/fake_hbase.h"

namespace fensi::hbase {
namespace {

using ::testing::HasSubstr;
using Kind = Reaction::Kind;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Each kind of call, by the method that the server sees.
struct KindOfCall {
  std::string method;
  std::function<Status(Cluster*)> call;
};
std::vector<KindOfCall> EveryCall() {
  return {{"Multi",
           [](Cluster* client) {
             return WriteRows(client, {"a", "z"});
           }},
          {"Multi", [](Cluster* client) { return ReadRow(client, "a"); }},
          {"Mutate", [](Cluster* client) { return ChangeRow(client, "a", "", "v").status(); }},
          {"Scan", [](Cluster* client) { return client->Scan("t", {}, kGranted).status(); }},
          {"Scan",
           [](Cluster* client) {
             const GetSpec get{.row = "a"};
             const GetSpec* const asking = &get;
             return client->ReadPoints("t", {&asking, 1}, kGranted).status();
           }},
          {"Meta", [](Cluster* client) { return client->Regions("t", kGranted).status(); }},
          {"GetMetaRegionLocations", [](Cluster* client) { return client->Regions("t", kGranted).status(); }},
          {"GetTableDescriptors", [](Cluster* client) { return client->admin(kGranted).Describe("t").status(); }}};
}

/// The answer of the call when its method behaves so the first `times`.
Status Behaving(const KindOfCall& kind, const Reaction& reaction, int times, milliseconds* took) {
  std::atomic<int> left = times;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    return method == kind.method && left-- > 0 ? reaction : Reaction{};
  };
  ClusterOptions options = server.Options();
  const bool is_late = reaction.kind == Kind::kSilence || reaction.kind == Kind::kDrip;
  if (is_late) options.call_timeout = milliseconds(400);
  const auto client = ClientOf(options);
  const auto begin = steady_clock::now();
  const Status status = kind.call(client.get());
  *took = std::chrono::round<milliseconds>(steady_clock::now() - begin);
  return status;
}

constexpr int kAlways = 1'000'000;

/// What came of each combination; they are tried at once, because most of them wait.
struct Tried {
  KindOfCall kind;
  Reaction reaction;
  Status status;
  milliseconds took{0};
  std::string Name() const {
    return kind.method + ", " + reaction.exception + " " + std::to_string(static_cast<int>(reaction.kind));
  }
};
std::vector<Tried> TryAll(const std::vector<Reaction>& reactions, int times) {
  std::vector<Tried> tried;
  for (const KindOfCall& kind : EveryCall()) {
    for (const Reaction& reaction : reactions) tried.push_back({kind, reaction, {}});
  }
  constexpr size_t kAtOnce = 16;
  for (size_t begin = 0; begin < tried.size(); begin += kAtOnce) {
    std::vector<std::thread> threads;
    for (size_t i = begin; i < std::min(tried.size(), begin + kAtOnce); ++i) {
      threads.emplace_back(
          [&one = tried[i], times] { one.status = Behaving(one.kind, one.reaction, times, &one.took); });
    }
    for (std::thread& thread : threads) thread.join();
  }
  return tried;
}

constexpr milliseconds kSoon(30'000);  // the machine may be slow

TEST(EveryCall, SucceedsWhereTheServerAnswers) {
  for (const Tried& one : TryAll({{}}, 0)) EXPECT_TRUE(one.status.ok()) << one.Name() << ": " << one.status.ToString();
}

TEST(EveryCall, EndsInTimeWhateverTheServerDoes) {
  for (const Tried& one : TryAll({{.kind = Kind::kSilence},
                                  {.kind = Kind::kDrip},
                                  {.kind = Kind::kCut},
                                  {.kind = Kind::kClose},
                                  {.kind = Kind::kWrongId},
                                  {.kind = Kind::kHuge},
                                  {.kind = Kind::kGarbage}},
                                 kAlways)) {
    EXPECT_EQ(one.status.code(), StatusCode::kUnavailable) << one.Name() << ": " << one.status.ToString();
    EXPECT_LT(one.took, kSoon) << one.Name();
  }
}

TEST(EveryCall, ButAConditionalPutIsRepeatedWhenItsConnectionBreaks) {
  for (const Tried& one : TryAll({{.kind = Kind::kCut},
                                  {.kind = Kind::kClose},
                                  {.kind = Kind::kWrongId},
                                  {.kind = Kind::kHuge},
                                  {.kind = Kind::kGarbage}},
                                 1)) {
    const bool repeated = one.kind.method != "Mutate";
    EXPECT_EQ(one.status.ok(), repeated) << one.Name() << ": " << one.status.ToString();
    const char* unknown = "it is unknown whether HBase changed the row";
    EXPECT_EQ(one.status.message().find(unknown) == std::string::npos, repeated) << one.status.ToString();
  }
}

/// Classes that pass.
std::vector<Reaction> PassingErrors() {
  std::vector<Reaction> reactions;
  for (const char* name :
       {"NotServingRegionException", "regionserver.WrongRegionException", "ipc.ServerNotRunningYetException",
        "regionserver.RegionServerStoppedException", "regionserver.RegionServerAbortedException",
        "exceptions.RegionMovedException", "exceptions.RegionOpeningException", "RegionTooBusyException",
        "PleaseHoldException", "CallQueueTooBigException", "CallDroppedException"}) {
    reactions.push_back({.kind = Kind::kException, .exception = std::string("org.apache.hadoop.hbase.") + name});
  }
  return reactions;
}

TEST(EveryCall, IsRepeatedAfterAnExceptionThatPasses) {
  for (const Tried& one : TryAll(PassingErrors(), 1)) {
    EXPECT_TRUE(one.status.ok()) << one.Name() << ": " << one.status.ToString();
  }
}

TEST(EveryCall, NamesTheExceptionThatDoesNotPass) {
  for (const Tried& one : TryAll(PassingErrors(), kAlways)) {
    EXPECT_EQ(one.status.code(), StatusCode::kUnavailable) << one.Name();
    const std::string& name = one.reaction.exception;
    EXPECT_THAT(one.status.message(), HasSubstr(name.substr(name.rfind('.') + 1))) << one.Name();
    EXPECT_LT(one.took, kSoon) << one.Name();
  }
}

TEST(EveryCall, EndsAtOnceAtAnExceptionThatIsFinal) {
  const Reaction denied{.kind = Kind::kException,
                        .exception = "org.apache.hadoop.hbase.security.AccessDeniedException",
                        .text = "Insufficient permissions",
                        .do_not_retry = true};
  for (const Tried& one : TryAll({denied}, kAlways)) {
    EXPECT_EQ(one.status.code(), StatusCode::kPermission) << one.Name() << ": " << one.status.ToString();
    EXPECT_THAT(one.status.message(),
                HasSubstr("Insufficient permissions. Grant the right to this user in the HBase shell"));
  }
}

TEST(EveryCall, OfAnUnknownExceptionIsRepeatedUnlessTheServerForbidsIt) {
  Reaction unknown{.kind = Kind::kException, .exception = "java.lang.NewlyInventedException", .text = "new"};
  for (const Tried& one : TryAll({unknown}, 1)) {
    EXPECT_EQ(one.status.ok(), one.kind.method != "Mutate") << one.Name() << ": " << one.status.ToString();
  }
  unknown.do_not_retry = true;
  for (const Tried& one : TryAll({unknown}, kAlways)) {
    if (one.kind.method == "GetMetaRegionLocations") continue;  // registries are asked one after the other
    EXPECT_FALSE(one.status.ok()) << one.Name();
    EXPECT_THAT(one.status.message(), HasSubstr("NewlyInventedException")) << one.Name();
  }
}

TEST(EveryCall, OfAFatalAnswerEndsItsConnectionAndIsRepeated) {
  const Reaction fatal{.kind = Kind::kFatal, .exception = "org.apache.hadoop.hbase.ipc.FatalConnectionException"};
  for (const Tried& one : TryAll({fatal}, 1)) {
    EXPECT_EQ(one.status.ok(), one.kind.method != "Mutate") << one.Name() << ": " << one.status.ToString();
  }
}

TEST(EveryCall, ToAPortWhereNobodyListensSaysSo) {
  for (const KindOfCall& kind : EveryCall()) {
    ClusterOptions options;
    {
      FakeHBase gone;
      options = gone.Options();
    }
    const auto client = ClientOf(options);
    const Status status = kind.call(client.get());
    EXPECT_EQ(status.code(), StatusCode::kUnavailable) << kind.method;
    EXPECT_THAT(status.message(), HasSubstr("Connection refused")) << kind.method;
  }
}

TEST(EveryCall, EndsWhenItsPermissionDoes) {
  for (const char* silent : {"Multi", "Meta", "GetMetaRegionLocations"}) {
    FakeHBase server;
    server.react = [&](const std::string& method, const std::string&) {
      return Reaction{.kind = method == silent ? Kind::kSilence : Kind::kAnswer};
    };
    ClusterOptions options = server.Options();
    options.call_timeout = milliseconds(60'000);
    const auto client = ClientOf(options);
    const auto begin = steady_clock::now();
    const Permission lost = [&] {
      return steady_clock::now() - begin > milliseconds(150) ? Status(StatusCode::kFenced, "lost") : Status();
    };
    const GetSpec get{.row = "a"};
    const Status status = client->Get("t", std::span(&get, 1), lost).status();
    EXPECT_EQ(status.code(), StatusCode::kFenced) << silent << ": " << status.ToString();
    EXPECT_LT(steady_clock::now() - begin, kSoon) << silent;
  }
}

TEST(Client, WritesAndReadsRowsOfManyRegions) {
  FakeHBase server({"g", "p"});
  const auto client = ClientOf(server.Options());
  const std::vector<std::string> rows = {"z", "a", "h", "g", "p", "b"};
  ASSERT_TRUE(WriteRows(client.get(), rows).ok());
  for (const std::string& row : rows) {
    std::string value;
    ASSERT_TRUE(ReadRow(client.get(), row, &value).ok());
    EXPECT_EQ(value, row);
  }
  const auto page = client->Scan("t", {.start = "b", .stop = "p"}, kGranted);
  ASSERT_TRUE(page.ok()) << page.status().ToString();
  std::string seen;
  for (const ScannedRow& row : page->rows) seen += row.row;
  EXPECT_EQ(seen, "bgh");
  EXPECT_TRUE(page->at_end);
  ASSERT_EQ(page->read_points.size(), 2U);
  EXPECT_EQ(page->read_points.front().number, 77U);
}

TEST(Client, ReadsARegionInSeveralAnswersOfOneScanner) {
  FakeHBase server({"m"});
  server.rows_of_answer = 3;
  const auto client = ClientOf(server.Options());
  std::vector<std::string> rows;
  for (char row = 'a'; row <= 'z'; ++row) rows.emplace_back(1, row);
  ASSERT_TRUE(WriteRows(client.get(), rows).ok());
  for (const size_t most : {1, 5, 12, 26, 100}) {
    std::string seen;
    ScanSpec spec;
    spec.max_rows = most;
    for (bool more = true; more;) {
      const auto page = client->Scan("t", spec, kGranted);
      ASSERT_TRUE(page.ok()) << page.status().ToString();
      ASSERT_LE(page->rows.size(), most);
      for (const ScannedRow& row : page->rows) seen += row.row;
      more = !page->at_end;
      if (!page->rows.empty()) spec.start = page->rows.back().row;
      spec.include_start = false;
    }
    EXPECT_EQ(seen, "abcdefghijklmnopqrstuvwxyz") << most;
  }
}

TEST(Client, OpensAScannerAgainBehindTheLastWholeRow) {
  std::atomic<int> scans = 0;
  FakeHBase server;
  server.rows_of_answer = 3;
  server.react = [&](const std::string& method, const std::string&) {
    if (method != "Scan" || ++scans % 2 != 0) return Reaction{};
    return Reaction{.kind = Kind::kException, .exception = "org.apache.hadoop.hbase.UnknownScannerException"};
  };
  const auto client = ClientOf(server.Options());
  std::vector<std::string> rows;
  for (char row = 'a'; row <= 'j'; ++row) rows.emplace_back(1, row);
  ASSERT_TRUE(WriteRows(client.get(), rows).ok());
  const auto page = client->Scan("t", {}, kGranted);
  ASSERT_TRUE(page.ok()) << page.status().ToString();
  std::string seen;
  for (const ScannedRow& row : page->rows) seen += row.row;
  EXPECT_EQ(seen, "abcdefghij");
}

TEST(Client, AsksOnceForEachRegionHoweverManyCallsNeedIt) {
  FakeHBase server;
  server.react = [](const std::string& method, const std::string&) {
    return Reaction{.kind = method == "Meta" ? Kind::kDelay : Kind::kAnswer};
  };
  const auto client = ClientOf(server.Options());
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { EXPECT_TRUE(ReadRow(client.get(), "a").ok()); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server.CallsOf("Meta"), 1);
}

TEST(Client, HasNoMoreCallsInFlightThanItMay) {
  FakeHBase server;
  server.react = [](const std::string&, const std::string&) { return Reaction{.kind = Kind::kDelay}; };
  ClusterOptions options = server.Options();
  options.calls_in_flight = 3;
  const auto client = ClientOf(options);
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i) threads.emplace_back([&] { EXPECT_TRUE(ReadRow(client.get(), "a").ok()); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(server.most_at_once(), 3);
}

TEST(Client, NamesTheRowsThatAreRefusedAndWritesAllOthers) {
  FakeHBase server({"m"});
  server.refuse_row = [](std::string_view row) -> std::optional<Reaction> {
    if (row != "c" && row != "x") return std::nullopt;
    return Reaction{.exception = "org.apache.hadoop.hbase.exceptions.FailedSanityCheckException", .text = "too new"};
  };
  const auto client = ClientOf(server.Options());
  std::vector<Refusal> refused;
  ASSERT_TRUE(WriteRows(client.get(), {"a", "x", "b", "c", "z"}, &refused).ok());
  ASSERT_EQ(refused.size(), 2U);
  EXPECT_EQ(refused[0].index, 1U);
  EXPECT_EQ(refused[1].index, 3U);
  EXPECT_TRUE(refused[0].named);
  EXPECT_EQ(refused[0].error.message, "too new");
  EXPECT_EQ(server.rows(), 3U);
}

TEST(Client, FindsByHalvesTheRowForWhichARegionRefusesAll) {
  FakeHBase server;
  server.refuse_region = [](std::string_view row) -> std::optional<Reaction> {
    if (row != "row37") return std::nullopt;
    return Reaction{.exception = "org.apache.hadoop.hbase.DoNotRetryIOException",
                    .text = "Cell with size 20000000 exceeds limit of 10485760 bytes"};
  };
  const auto client = ClientOf(server.Options());
  std::vector<std::string> rows;
  for (int i = 0; i < 100; ++i) rows.push_back("row" + std::to_string(i));
  std::vector<Refusal> refused;
  ASSERT_TRUE(WriteRows(client.get(), rows, &refused).ok());
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused.front().index, 37U);
  EXPECT_FALSE(refused.front().named);
  EXPECT_EQ(server.rows(), 99U);
  EXPECT_LE(server.CallsOf("Multi"), 20);
}

TEST(Client, BlamesNoRowForATableThatIsReadOnly) {
  const auto read_only = [](std::string_view) {
    return std::optional(
        Reaction{.exception = "org.apache.hadoop.hbase.DoNotRetryIOException", .text = "region is read only"});
  };
  for (const bool by_row : {false, true}) {
    FakeHBase server;
    (by_row ? server.refuse_row : server.refuse_region) = read_only;
    const auto client = ClientOf(server.Options());
    const Status status = WriteRows(client.get(), {"a", "b"});
    EXPECT_EQ(server.CallsOf("Multi"), 1);
    EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr("read only"));
  }
}

TEST(Client, WritesOneRowsMutationsInOrderHoweverMany) {
  std::atomic<int> failures = 3;
  FakeHBase server({"m"});
  server.refuse_row = [&](std::string_view row) -> std::optional<Reaction> {
    if (row != "hot" || failures-- <= 0) return std::nullopt;
    return Reaction{.exception = "org.apache.hadoop.hbase.RegionTooBusyException"};
  };
  const ClusterOptions options = server.Options();
  const auto client = ClientOf(options);
  std::vector<std::vector<Cell>> cells;
  std::vector<std::string> rows;
  for (int i = 0; i < 9'000; ++i) {
    rows.push_back(i % 3 == 0 ? "hot" : "cold" + std::to_string(i));
    cells.push_back({PutOf(std::to_string(i))});
  }
  std::vector<Mutation> mutations;
  for (size_t i = 0; i < rows.size(); ++i) mutations.push_back({rows[i], cells[i]});
  const auto written = client->Write("t", mutations, kGranted);
  ASSERT_TRUE(written.ok()) << written.status().ToString();
  EXPECT_EQ(server.ValueOf("hot"), "8997");
}

TEST(Client, FollowsAMoveToALaterOpeningWithoutAskingMeta) {
  FakeHBase former, server;
  former.react = [&](const std::string& method, const std::string&) {
    if (method != "Multi") return Reaction{};
    return Reaction{.kind = Kind::kException,
                    .exception = "org.apache.hadoop.hbase.exceptions.RegionMovedException",
                    .text = "Region moved to: hostname=127.0.0.1 port=" + std::to_string(server.port()) +
                            " startCode=1. As of locationSeqNum=2."};
  };
  const auto client = ClientOf(former.Options());
  EXPECT_TRUE(WriteRows(client.get(), {"a"}).ok());
  EXPECT_EQ(server.ValueOf("a"), "a");
  EXPECT_EQ(former.CallsOf("Meta"), 1);
}

TEST(Client, AsksMetaWhereAMoveIsToAnEarlierOpening) {
  FakeHBase former, server;
  former.SetLocation("127.0.0.1", former.port(), 9);
  former.react = [&](const std::string& method, const std::string&) {
    if (method != "Multi") return Reaction{};
    former.SetLocation("127.0.0.1", server.port(), 10);
    return Reaction{.kind = Kind::kException,
                    .exception = "org.apache.hadoop.hbase.exceptions.RegionMovedException",
                    .text = "Region moved to: hostname=127.0.0.1 port=" + std::to_string(former.port()) +
                            " startCode=1. As of locationSeqNum=9."};
  };
  const auto client = ClientOf(former.Options());
  EXPECT_TRUE(WriteRows(client.get(), {"a"}).ok());
  EXPECT_EQ(server.ValueOf("a"), "a");
  EXPECT_EQ(former.CallsOf("Meta"), 2);
  EXPECT_EQ(former.CallsOf("Multi"), 1) << "the move was followed";
}

TEST(Client, FindsTheRegionsAnewAfterASplit) {
  FakeHBase server;
  const auto client = ClientOf(server.Options());
  ASSERT_TRUE(WriteRows(client.get(), {"a", "z"}).ok());
  server.SetRegions({"m"});
  server.react = [](const std::string& method, const std::string& region) {
    if (method == "Meta" || region.find(",2.x") != std::string::npos || region.empty()) return Reaction{};
    return Reaction{.kind = Kind::kException, .exception = "org.apache.hadoop.hbase.NotServingRegionException"};
  };
  EXPECT_TRUE(WriteRows(client.get(), {"b", "y"}).ok());
  const auto page = client->Scan("t", {}, kGranted);
  ASSERT_TRUE(page.ok()) << page.status().ToString();
  EXPECT_EQ(page->rows.size(), 4U);
}

TEST(Client, TellsWhatItsServersDo) {
  std::atomic<int> left = 1;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    if (method != "Multi" || left-- <= 0) return Reaction{};
    return Reaction{.kind = Kind::kException, .exception = "org.apache.hadoop.hbase.CallQueueTooBigException"};
  };
  const auto client = ClientOf(server.Options());
  ASSERT_TRUE(WriteRows(client.get(), {"a"}).ok());
  const auto counts = client->Counts();
  const ServerCounts& of_server = counts.at("127.0.0.1:" + std::to_string(server.port()));
  EXPECT_GE(of_server.calls, 4);  // registry, meta, two Multis
  EXPECT_EQ(of_server.retries, 1);
  EXPECT_EQ(of_server.in_flight, 0);
  EXPECT_EQ(of_server.waiting, 0);
  EXPECT_EQ(of_server.errors.at("CallQueueTooBigException"), 1);
  EXPECT_EQ(of_server.latency.count, of_server.calls);
}

TEST(Client, NamesTheServerThatDoesNotAnswerUntilItDoes) {
  std::atomic<bool> silent = true;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    return method == "Multi" && silent ? Reaction{.kind = Kind::kClose} : Reaction{};
  };
  ClusterOptions options = server.Options();
  options.retry_for = milliseconds(200);
  const auto client = ClientOf(options);
  const std::string address = "127.0.0.1:" + std::to_string(server.port());
  EXPECT_EQ(WriteRows(client.get(), {"a"}).code(), StatusCode::kUnavailable);
  EXPECT_THAT(client->Counts().at(address).trouble, HasSubstr(address));
  EXPECT_LT(client->Counts().at(address).trouble_age, milliseconds(60'000));
  EXPECT_GE(client->Counts().at(address).unanswered, 1);
  silent = false;
  ASSERT_TRUE(WriteRows(client.get(), {"a"}).ok());
  EXPECT_EQ(client->Counts().at(address).trouble, "");
}

TEST(Client, ConditionalPutSaysWhetherItWasDone) {
  FakeHBase server;
  const auto client = ClientOf(server.Options());
  EXPECT_TRUE(ChangeRow(client.get(), "r", "", "one").value());
  EXPECT_FALSE(ChangeRow(client.get(), "r", "", "two").value());
  EXPECT_TRUE(ChangeRow(client.get(), "r", "one", "two").value());
  EXPECT_EQ(server.ValueOf("r"), "two");
}

TEST(WhoAnswers, KnowsAServerOfHBase) {
  FakeHBase server;
  EXPECT_EQ(WhoAnswers("127.0.0.1", server.port(), steady_clock::now() + kSoon), Speaks::kHBase);
}

TEST(WhoAnswers, KnowsThatNobodyDoes) {
  int port = 0;
  {
    FakeHBase gone;
    port = gone.port();
  }
  EXPECT_EQ(WhoAnswers("127.0.0.1", port, steady_clock::now() + milliseconds(2'000)), Speaks::kNothing);
}

}  // namespace
}  // namespace fensi::hbase
