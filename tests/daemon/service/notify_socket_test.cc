#include "daemon/service/notify_socket.h"

#include <gtest/gtest.h>

#include "tests/daemon/service/manager_socket.h"

namespace fensi::daemon {
namespace {

TEST(NotifySocketTest, TellsAManagerAtAPath) {
  const ManagerSocket manager(ManagerSocket::Kind::kPath);
  const NotifySocket socket(manager.address());
  EXPECT_TRUE(socket.wanted());
  EXPECT_TRUE(socket.Send("READY=1\n"));
  EXPECT_TRUE(socket.Send("STATUS=ready\n"));
  EXPECT_EQ(manager.Next(), "READY=1\n");
  EXPECT_EQ(manager.Next(), "STATUS=ready\n") << "one datagram each";
}

TEST(NotifySocketTest, TellsAManagerAtAnAbstractName) {
  const ManagerSocket manager(ManagerSocket::Kind::kAbstract);
  EXPECT_TRUE(NotifySocket(manager.address()).Send("READY=1\n"));
  EXPECT_EQ(manager.Next(), "READY=1\n");
}

TEST(NotifySocketTest, NobodyIsToldWithoutAManager) {
  for (const char* address : {"", "fensi.sock", "vsock:2:1", "unix:/run/x"}) {
    EXPECT_FALSE(NotifySocket(address).wanted()) << address;
    EXPECT_FALSE(NotifySocket(address).Send("READY=1\n")) << address;
  }
  EXPECT_FALSE(NotifySocket("/" + std::string(200, 'x')).wanted()) << "no socket has so long a name";
}

TEST(NotifySocketTest, AManagerThatWentIsNoFault) {
  std::string address;
  {
    const ManagerSocket manager(ManagerSocket::Kind::kPath);
    address = manager.address();
  }
  const NotifySocket socket(address);
  EXPECT_TRUE(socket.wanted());
  EXPECT_FALSE(socket.Send("WATCHDOG=1\n"));
}

TEST(NotifySocketTest, DoesNotWaitForAManagerThatReadsNothing) {
  const ManagerSocket manager(ManagerSocket::Kind::kAbstract);
  const NotifySocket socket(manager.address());
  int sent = 0;
  while (sent < 1'000'000 && socket.Send("WATCHDOG=1\n")) ++sent;
  EXPECT_GT(sent, 0);
  EXPECT_LT(sent, 1'000'000) << "a full queue refuses";
  EXPECT_EQ(manager.Next(), "WATCHDOG=1\n");
  EXPECT_TRUE(socket.Send("WATCHDOG=1\n")) << "and takes the next one when there is room";
}

}  // namespace
}  // namespace fensi::daemon
