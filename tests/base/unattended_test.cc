#include "base/unattended.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstdlib>
#include <future>
#include <memory>

namespace fensi {
namespace {

TEST(Unattended, IsDoneByAnotherThread) {
  std::promise<std::thread::id> done;
  auto worker = done.get_future();
  ASSERT_TRUE(StartDetached([done = std::move(done)]() mutable { done.set_value(std::this_thread::get_id()); }));
  EXPECT_NE(worker.get(), std::this_thread::get_id());
}

TEST(Unattended, HasAResult) {
  auto result = RunDetached([] { return std::make_unique<int>(7); });
  ASSERT_TRUE(result);
  EXPECT_EQ(*result->get(), 7);
}

#ifndef FENSI_SANITIZED  // which makes the stacks itself
[[noreturn]] void StartWithoutRoomForAStack() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size_t{1} << 47);  // all that there may be
  if (pthread_setattr_default_np(&attributes) != 0) std::_Exit(2);
  auto held = std::make_shared<int>(0);
  const bool started = StartDetached([held] {});
  const bool none = !RunDetached([] { return 7; });
  std::_Exit(!started && held.use_count() == 1 && none ? 0 : 1);
}

TEST(Unattended, IsRefusedInsteadOfEndingTheProcessWhereNoThreadCanBeHad) {
  EXPECT_EXIT(StartWithoutRoomForAStack(), ::testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace fensi
