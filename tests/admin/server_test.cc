#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "admin/admin_server.h"
#include "tests/admin/fixed_source.h"
#include "tests/admin/raw_client.h"
#include "tests/support/matchers.h"

namespace fensi::admin {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

class ServerTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<Server>> Start(const Address& address, uint16_t last_port = 0) {
    return Server::Start(&source_, {.address = address, .last_port = last_port});
  }
  FixedSource source_;
};

TEST_F(ServerTest, ServesPagesWithTheHeadersThatKeepBrowsersInBounds) {
  const auto server = Start(Loopback(0));
  ASSERT_TRUE(server.ok());
  EXPECT_THAT(Ask((*server)->address(), Get("/status")),
              AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("Content-Type: application/json\r\n"),
                    HasSubstr("Cache-Control: no-store\r\n"), HasSubstr("X-Content-Type-Options: nosniff\r\n"),
                    HasSubstr("Content-Security-Policy: default-src 'none'"), EndsWith("\r\n\r\n{\"format\":1}\n")));
  EXPECT_THAT(
      Ask((*server)->address(), Get("/")),
      AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("Content-Type: text/html; charset=utf-8\r\n"),
            HasSubstr("Cache-Control: no-store\r\n"), HasSubstr("Referrer-Policy: no-referrer\r\n"),
            HasSubstr("X-Content-Type-Options: nosniff\r\n"), HasSubstr("; script-src 'self'; style-src 'self';"),
            HasSubstr("frame-ancestors 'none'\r\n"), EndsWith("</html>\n")));
}

TEST_F(ServerTest, OfHeadOnlyTheHeadComes) {
  const auto server = Start(Loopback(0));
  ASSERT_TRUE(server.ok());
  const std::string answer =
      Ask((*server)->address(), "HEAD /status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, AllOf(HasSubstr("Content-Length: 13\r\n"), EndsWith("\r\n\r\n")));
}

TEST_F(ServerTest, AConnectionMayAskAgain) {
  const auto server = Start(Loopback(0));
  ASSERT_TRUE(server.ok());
  RawClient client((*server)->address());
  client.Send("GET /version HTTP/1.1\r\nHost: localhost\r\n\r\nGET /status HTTP/1.1\r\nHost: localhost\r\n\r\n" +
              Get("/-/healthy"));
  EXPECT_THAT(client.ReadAll(), AllOf(HasSubstr("{\"version\""), HasSubstr("{\"format\":1}"), EndsWith("ok\n")));
}

TEST_F(ServerTest, ATakenPortIsAFaultUnlessOthersMayBeTried) {
  const auto first = Start(Loopback(0));
  ASSERT_TRUE(first.ok());
  const uint16_t port = (*first)->address().port;
  const auto taken = Start(Loopback(port));
  EXPECT_EQ(taken.status().code(), StatusCode::kConfiguration);
  EXPECT_THAT(taken.status().message(), HasSubstr("127.0.0.1:" + std::to_string(port)));
  const auto next = Start(Loopback(port), static_cast<uint16_t>(port + 20));
  ASSERT_TRUE(next.ok()) << next.status().message();
  EXPECT_GT((*next)->address().port, port);
  EXPECT_THAT(Ask((*next)->address(), Get("/-/healthy")), StartsWith("HTTP/1.1 200"));
}

TEST_F(ServerTest, AnAddressThatIsNotOursIsAFault) {
  EXPECT_EQ(Start({Address::Kind::kTcp, "192.0.2.1", 0}).status().code(), StatusCode::kConfiguration);
}

TEST_F(ServerTest, ASocketIsForItsOwnerAndGroupWhateverTheUmask) {
  const std::string folder = ::testing::TempDir() + "fensi-admin-" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  const Address address{Address::Kind::kUnix, folder + "/admin.sock", 0};
  for (const auto& [mask, mode] : {std::pair<mode_t, mode_t>{0, 0660}, {0022, 0640}, {0077, 0600}}) {
    const mode_t before = umask(mask);
    {
      const auto server = Start(address);
      struct stat found {};
      EXPECT_EQ(stat(address.host.c_str(), &found), 0);
      EXPECT_EQ(found.st_mode & 0777, mode);
      EXPECT_THAT(Ask(address, Get("/-/healthy")), StartsWith("HTTP/1.1 200"));
    }
    umask(before);
  }
  std::filesystem::remove_all(folder);
}

TEST_F(ServerTest, ASocketIsTakenOverFromWhoHasGoneAndFromNobodyElse) {
  const std::string folder = ::testing::TempDir() + "fensi-admin-" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  const Address address{Address::Kind::kUnix, folder + "/admin.sock", 0};
  {
    const auto server = Start(address);
    ASSERT_TRUE(server.ok()) << server.status().message();
    EXPECT_THAT(Ask(address, Get("/-/healthy")), StartsWith("HTTP/1.1 200"));
    EXPECT_EQ(Start(address).status().code(), StatusCode::kConfiguration) << "somebody listens there";
  }
  EXPECT_FALSE(std::filesystem::exists(address.host));
  {  // left behind
    const int left = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un to{.sun_family = AF_UNIX};
    address.host.copy(to.sun_path, sizeof to.sun_path - 1);
    ASSERT_EQ(bind(left, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
    close(left);
  }
  EXPECT_TRUE(Start(address).ok());
  std::ofstream(address.host) << "a file of somebody";
  EXPECT_EQ(Start(address).status().code(), StatusCode::kConfiguration);
  EXPECT_TRUE(std::filesystem::is_regular_file(address.host));
  std::filesystem::remove_all(folder);
}

/// The message is that of Server::Start.
TEST_F(ServerTest, ACheckRefusesAPathThatAServerCouldNotHave) {
  const std::string folder = ::testing::TempDir() + "fensi-admin-check-" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/file") << "a file of somebody";
  std::filesystem::create_symlink("absent", folder + "/link");
  const Address live{Address::Kind::kUnix, folder + "/live", 0};
  const auto server = Start(live);
  ASSERT_TRUE(server.ok()) << server.status().message();
  for (const char* name : {"/live", "/file", "/link", "/file/below", "/absent/below"}) {
    const Address address{Address::Kind::kUnix, folder + name, 0};
    const fensi::Status checked = Server::CheckAddress(address);
    EXPECT_EQ(checked.code(), StatusCode::kConfiguration) << name;
    EXPECT_EQ(checked.message(), Start(address).status().message()) << name;
  }
  EXPECT_THAT(Ask(live, Get("/-/healthy")), StartsWith("HTTP/1.1 200"));
  std::filesystem::remove_all(folder);
}

TEST_F(ServerTest, ACheckCreatesNothingAtItsPath) {
  const std::string folder = ::testing::TempDir() + "fensi-admin-check-" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  const int created = inotify_init1(IN_NONBLOCK);
  ASSERT_GE(inotify_add_watch(created, folder.c_str(), IN_CREATE), 0);
  const Address address{Address::Kind::kUnix, folder + "/admin.sock", 0};
  EXPECT_TRUE(Server::CheckAddress(address).ok());
  std::array<char, 4096> event;
  EXPECT_EQ(read(created, event.data(), event.size()), -1);
  EXPECT_TRUE(Start(address).ok());
  EXPECT_GT(read(created, event.data(), event.size()), 0);
  close(created);
  std::filesystem::remove_all(folder);
}

TEST_F(ServerTest, ACheckRefusesATakenPort) {
  const auto server = Start(Loopback(0));
  ASSERT_TRUE(server.ok());
  const Address& taken = (*server)->address();
  EXPECT_EQ(Server::CheckAddress(taken).message(), Start(taken).status().message());
  EXPECT_TRUE(Server::CheckAddress(Loopback(0)).ok());
}

// An operator who removes a socket that he takes for a left-over has another daemon listen there.
TEST_F(ServerTest, WhoEndsTakesNoSocketOfAnotherAway) {
  const std::string folder = ::testing::TempDir() + "fensi-admin-taken-" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  const Address address{Address::Kind::kUnix, folder + "/admin.sock", 0};
  auto first = Start(address);
  ASSERT_TRUE(first.ok()) << first.status().message();
  std::filesystem::remove(address.host);
  const auto second = Start(address);
  ASSERT_TRUE(second.ok()) << second.status().message();
  first->reset();
  EXPECT_THAT(Ask(address, Get("/-/healthy")), StartsWith("HTTP/1.1 200"));
  std::filesystem::remove_all(folder);
}

TEST_F(ServerTest, EndsAtOnceWhateverIsOpen) {
  auto server = Start(Loopback(0));
  ASSERT_TRUE(server.ok());
  RawClient idle((*server)->address()), half((*server)->address());
  half.Send("GET /st");
  const auto start = std::chrono::steady_clock::now();
  server->reset();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  EXPECT_THAT(idle.ReadAll(), ::testing::IsEmpty());
}

/// Keeps what is wished for until a test says what became of it.
class PatientControl final : public Control {
 public:
  void Carry(Wish wish, Done done) override {
    const std::lock_guard lock(mu_);
    wishes_.emplace_back(std::move(wish), std::move(done));
  }
  std::pair<Wish, Done> Await() {
    for (;;) {
      {
        const std::lock_guard lock(mu_);
        if (!wishes_.empty()) {
          auto first = std::move(wishes_.front());
          wishes_.erase(wishes_.begin());
          return first;
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

 private:
  std::mutex mu_;
  std::vector<std::pair<Wish, Done>> wishes_;
};

constexpr char kPause[] =
    "POST /indexes/a/pause?reason=x HTTP/1.1\r\nHost: localhost\r\nX-Fensi: 1\r\nConnection: close\r\n\r\n";

TEST_F(ServerTest, WhatBecameOfAWishIsTheAnswerAndOthersAreServedMeanwhile) {
  PatientControl control;
  const auto server = Server::Start(&source_, {.address = Loopback(0), .timeout_ms = 200}, &control);
  ASSERT_TRUE(server.ok());
  RawClient client((*server)->address());
  client.Send(kPause);
  const auto [wish, done] = control.Await();
  EXPECT_EQ(wish.index, "a");
  EXPECT_THAT(Ask((*server)->address(), Get("/-/healthy")), StartsWith("HTTP/1.1 200"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // longer than a request may take
  done({409, "{\"error\":\"no\"}\n"});
  EXPECT_THAT(client.ReadAll(), AllOf(StartsWith("HTTP/1.1 409"), EndsWith("{\"error\":\"no\"}\n")));
}

TEST_F(ServerTest, AWishThatIsDoneWhenItsClientOrTheServerHasGoneIsForgotten) {
  PatientControl control;
  auto server = Server::Start(&source_, {.address = Loopback(0)}, &control);
  ASSERT_TRUE(server.ok());
  { RawClient((*server)->address()).Send(kPause); }
  const auto gone = control.Await();
  gone.second({});
  RawClient client((*server)->address());
  client.Send(kPause);
  const auto late = control.Await();
  server->reset();
  late.second({});
}

TEST_F(ServerTest, WithoutControlNothingIsChanged) {
  const auto server = Start(Loopback(0));
  ASSERT_TRUE(server.ok());
  EXPECT_THAT(Ask((*server)->address(), kPause), AllOf(StartsWith("HTTP/1.1 403"), HasSubstr("--admin_control")));
}

}  // namespace
}  // namespace fensi::admin
