#include "base/unattended.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <future>
#include <memory>

namespace fensi {
namespace {

TEST(Unattended, IsDoneByAnotherThread) {
  std::promise<std::thread::id> done;
  auto worker = done.get_future();
  ASSERT_TRUE(StartUnattended([done = std::move(done)]() mutable { done.set_value(std::this_thread::get_id()); }));
  EXPECT_NE(worker.get(), std::this_thread::get_id());
}

#ifndef FENSI_SANITIZED  // whose own memory would be refused, too
[[noreturn]] void StartWithoutRoomForAStack() {
  const rlimit none{1 << 20, 1 << 20};
  setrlimit(RLIMIT_AS, &none);
  auto held = std::make_shared<int>(0);
  const bool started = StartUnattended([held] {});
  std::_Exit(!started && held.use_count() == 1 ? 0 : 1);
}

TEST(Unattended, IsRefusedInsteadOfEndingTheProcessWhereNoThreadCanBeHad) {
  EXPECT_EXIT(StartWithoutRoomForAStack(), ::testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace fensi
