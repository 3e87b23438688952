// An embedded store whose process is killed.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "tests/store/embedded_directory.h"

namespace fensi::store {
namespace {

namespace fs = std::filesystem;

/// The process dies at any moment of writes, flushes and compactions: nothing is refused, nothing is missing.
class KilledAtAnyMoment : public EmbeddedStoreTest, public ::testing::WithParamInterface<int> {};

TEST_P(KilledAtAnyMoment, IsOpenedAgainWithAllThatWasAcknowledged) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string count = directory_ + ".count";
  const auto write_until_killed = [&] {
    const auto store = Open();
    if (!store->CreateTable({"t", {{.name = "f"}}}, {}).ok()) _exit(1);
    std::thread([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(GetParam()));
      kill(getpid(), SIGKILL);
    }).detach();
    const int fd = open(count.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 0;; ++i) {
      Put(*store, std::to_string(i), PutCell("f:q", 1, std::string(50'000, static_cast<char>('a' + i % 26))));
      if (pwrite(fd, &i, sizeof i, 0) != sizeof i) _exit(1);
    }
  };
  EXPECT_EXIT(write_until_killed(), ::testing::KilledBySignal(SIGKILL), "");
  int last = -1;
  std::ifstream(count).read(reinterpret_cast<char*>(&last), sizeof last);
  fs::remove(count);
  for (int run = 0; run < 2; ++run) {
    const auto store = Open(/*read_only=*/run == 0);
    ASSERT_NE(store, nullptr);
    for (int i = 0; i <= last; ++i) ASSERT_NE(Read(*store, std::to_string(i)), "") << i << " of " << last;
  }
}

INSTANTIATE_TEST_SUITE_P(Milliseconds, KilledAtAnyMoment, ::testing::Values(5, 60, 150, 300, 700, 1500));

}  // namespace
}  // namespace fensi::store
