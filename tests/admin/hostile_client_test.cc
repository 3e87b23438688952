// The server against clients that mean no good: each row of the table of bad input, and what they cost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <thread>

#include "admin/admin_server.h"
#include "tests/admin/fixed_source.h"
#include "tests/admin/raw_client.h"
#include "tests/support/matchers.h"
#include "tests/support/peak_memory.h"

namespace fensi::admin {
namespace {

using std::chrono::milliseconds;
using ::testing::StartsWith;
using Clock = std::chrono::steady_clock;

class HostileClient : public ::testing::Test {
 protected:
  void Serve(ServerOptions options = {}) {
    options.address = {Address::Kind::kTcp, "127.0.0.1", 0};
    Result<std::unique_ptr<Server>> server = Server::Start(&source_, options);
    ASSERT_TRUE(server.ok()) << server.status().message();
    server_ = std::move(*server);
  }
  const Address& address() const { return server_->address(); }
  void ExpectServes() { EXPECT_THAT(Ask(address(), Get("/-/healthy")), StartsWith("HTTP/1.1 200 OK\r\n")); }

  FixedSource source_;
  std::unique_ptr<Server> server_;
};

TEST_F(HostileClient, IsToldWhatItDidWrong) {
  Serve();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {Get("/metrics", "X: " + std::string(9'000, 'x') + "\r\n"), "431 "},
      {"GET /" + std::string(9'000, 'x') + " HTTP/1.1\r\nHost: localhost\r\n\r\n", "431 "},
      {"POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65537\r\n\r\n", "413 "},
      {"POST /metrics HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n20000\r\n" +
           std::string(0x20000, 'x'),
       "413 "},
      {"GARBAGE\r\n\r\n", "400 "},
      {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + "\r\n\r\n", "400 "},
      {"GET /metrics HTTP/9.9\r\nHost: localhost\r\n\r\n", "400 "},
      {"GET /metrics HTTP/1.1\r\nHost : localhost\r\n\r\n", "400 "},
      {"POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", "400 "},
      {"POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "400 "},
      {"GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n", "400 "},
      {Get("/nothing"), "404 "},
      {"DELETE /status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "405 "},
      {Get("/status?x"), "400 "},
      {"GET /status HTTP/1.1\r\nHost: evil.example.org\r\nConnection: close\r\n\r\n", "421 "},
      {Get("/status", "Origin: http://evil.example.org\r\n"), "403 "}};
  for (const auto& [request, status] : cases) {
    const std::string answer = Ask(address(), request);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 " + status)) << request.substr(0, 100);
    EXPECT_THAT(answer, HasSubstr("{\"error\":\"")) << request.substr(0, 100);
  }
  ExpectServes();
}

TEST_F(HostileClient, GetsNoMoreTimeByADripOfBytes) {
  Serve({.timeout_ms = 500});
  RawClient client(address());
  const std::string request = Get("/metrics", "X: " + std::string(1'000, 'x') + "\r\n");
  size_t sent = 0;
  while (sent < request.size() && client.Send(request.substr(sent, 1))) {
    ++sent;
    std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_LT(sent, request.size());
  EXPECT_THAT(client.ReadAll(milliseconds(2'000)), IsEmpty());
  ExpectServes();
}

TEST_F(HostileClient, IsLeftWhenItIsSilent) {
  Serve({.timeout_ms = 300});
  RawClient silent(address());
  EXPECT_THAT(silent.ReadAll(milliseconds(5'000)), IsEmpty());
  EXPECT_TRUE(silent.ended());
  RawClient kept(address());
  kept.Send("GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_THAT(kept.ReadAll(milliseconds(5'000)), StartsWith("HTTP/1.1 200"));
  EXPECT_TRUE(kept.ended());
}

TEST_F(HostileClient, WhoTakesNoAnswerIsLeft) {
  source_.status = std::string(size_t{8} << 20, 'x');
  Serve({.timeout_ms = 300});
  RawClient client(address());
  client.Send(Get("/status"));
  std::this_thread::sleep_for(milliseconds(1'500));
  EXPECT_LT(client.ReadAll().size(), source_.status.size());
  ExpectServes();
}

TEST_F(HostileClient, OfTwoHundredThatSayNothingTheOldestMakeWay) {
  Serve({.timeout_ms = 20'000});
  std::deque<RawClient> clients;
  for (int i = 0; i < 200; ++i) clients.emplace_back(address());
  ExpectServes();  // one more
  for (size_t i = 0; i < 200 - 63; ++i) {
    EXPECT_THAT(clients[i].ReadAll(milliseconds(2'000)), IsEmpty()) << i;
    EXPECT_TRUE(clients[i].ended()) << i;
  }
  for (size_t i = 200 - 63; i < 200; ++i) {
    clients[i].Send(Get("/version"));
    EXPECT_THAT(clients[i].ReadAll(), StartsWith("HTTP/1.1 200")) << i;
  }
}

TEST_F(HostileClient, WhoIsServedAndRestsIsYoungerThanWhoNeverAsked) {
  Serve({.most_connections = 2, .timeout_ms = 20'000});
  RawClient asks(address());
  RawClient silent(address());
  asks.Send("GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_THAT(asks.ReadAll(milliseconds(500)), StartsWith("HTTP/1.1 200"));
  ExpectServes();
  EXPECT_THAT(silent.ReadAll(milliseconds(2'000)), IsEmpty());
  EXPECT_TRUE(silent.ended());
  asks.Send(Get("/version"));
  EXPECT_THAT(asks.ReadAll(), StartsWith("HTTP/1.1 200"));
}

TEST_F(HostileClient, ProbesAreAnsweredWhileDrippingConnectionsTakeAllPlaces) {
  Serve({.timeout_ms = 20'000});
  // The second ones become requests that are none, and read no refusal.
  for (const auto& [begin, drop] : {std::pair("GET / HTTP/1.1\r\nX: ", "x"), std::pair("GET / HT", "T")}) {
    std::deque<RawClient> dripping;
    for (int i = 0; i < 300; ++i) {
      dripping.emplace_back(address());
      dripping.back().Send(begin);
      for (size_t j = dripping.size() > 64 ? dripping.size() - 64 : 0; j < dripping.size(); ++j) dripping[j].Send(drop);
      if (i % 20 == 0) ExpectServes();
    }
  }
}

TEST_F(HostileClient, ProbesAndTheyAloneAreAnsweredWhileAllOthersTakeNoAnswer) {
  source_.status = std::string(size_t{4} << 20, 'x');
  Serve({.timeout_ms = 20'000, .most_answer_bytes = size_t{1} << 30});
  std::deque<RawClient> greedy;
  for (int i = 0; i < 64; ++i) {
    greedy.emplace_back(address());
    greedy.back().Send(Get("/status"));
  }
  std::this_thread::sleep_for(milliseconds(500));  // until all are being answered
  EXPECT_THAT(Ask(address(), Get("/version")), StartsWith("HTTP/1.1 503 "));
  std::deque<RawClient> silent;
  for (int i = 0; i < 30; ++i) silent.emplace_back(address());
  for (int i = 0; i < 20; ++i) ExpectServes();
  EXPECT_THAT(Ask(address(), Get("/-/ready?verbose")), HasSubstr("[-]index b"));
  EXPECT_THAT(Ask(address(), Get("/version")), StartsWith("HTTP/1.1 503 "));
}

TEST_F(HostileClient, AProbesConnectionIsNotKept) {
  Serve({.most_connections = 0, .timeout_ms = 20'000});
  RawClient client(address());
  client.Send("GET /-/healthy HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_THAT(client.ReadAll(milliseconds(3'000)), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(client.ended());
}

TEST_F(HostileClient, WithoutAnyPlaceIsToldToComeLater) {
  Serve({.most_connections = 0, .probe_connections = 0});
  EXPECT_THAT(Ask(address(), ""), AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("Retry-After: 1")));
}

TEST_F(HostileClient, AnswersOnTheirWayAreBounded) {
  source_.status = std::string(size_t{4} << 20, 'x');
  Serve({.timeout_ms = 20'000, .most_answer_bytes = size_t{10} << 20});
  const MemoryGrowth growth;
  std::deque<RawClient> clients;
  for (int i = 0; i < 40; ++i) {
    clients.emplace_back(address());
    clients.back().Send("GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  std::this_thread::sleep_for(milliseconds(500));
  std::printf("40 clients that take nothing of 4 MiB: %ld KiB more\n", growth.Kilobytes());
  EXPECT_LT(growth.Kilobytes(), 40 << 10);
  RawClient late(address());
  late.Send(Get("/status"));
  EXPECT_THAT(late.ReadAll(milliseconds(15'000)), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(Ask(address(), Get("/version")), StartsWith("HTTP/1.1 200"));
}

TEST_F(HostileClient, RequestsWithoutEndCostNoMemory) {
  Serve();
  RawClient client(address());
  const MemoryGrowth growth;
  client.Send("POST /metrics HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 500 && client.Send("10000\r\n" + std::string(0x10000, 'x') + "\r\n"); ++i) {
  }
  EXPECT_LT(growth.Kilobytes(), 8 << 10);
  ExpectServes();
}

TEST_F(HostileClient, EveryFirstBytesAreSurvived) {
  Serve({.timeout_ms = 2'000});
  const std::string request = Get("/status", "Origin: http://localhost\r\n");
  for (size_t cut = 0; cut <= request.size(); ++cut) {
    RawClient client(address());
    client.Send(request.substr(0, cut));
    client.Finish();
    const std::string answer = client.ReadAll(milliseconds(4'000));
    EXPECT_EQ(answer.starts_with("HTTP/1.1 200"), cut == request.size()) << cut;
  }
  ExpectServes();
}

}  // namespace
}  // namespace fensi::admin
