// A bound of memory that is measured as nothing holds nothing back.
#include "tests/support/peak_memory.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace fensi {
namespace {

constexpr long kMiB = 1024;  // kilobytes

/// Many pieces, as a parser takes them: malloc keeps what they leave.
void TakeAndGiveBack(size_t mebibytes) {
  std::vector<std::unique_ptr<std::vector<char>>> pieces;
  for (size_t i = 0; i < mebibytes * 16; ++i) pieces.push_back(std::make_unique<std::vector<char>>(64 << 10, 'x'));
}

TEST(MemoryGrowth, IsWhatWasTakenThoughItWasGivenBack) {
  const MemoryGrowth growth;
  TakeAndGiveBack(64);
  EXPECT_GT(growth.Kilobytes(), 62 * kMiB);
  EXPECT_LT(growth.Kilobytes(), 80 * kMiB);
}

TEST(MemoryGrowth, IsSeenAgainAfterSomethingLarger) {
  TakeAndGiveBack(128);
  const MemoryGrowth growth;
  EXPECT_LT(growth.Kilobytes(), 2 * kMiB);
  TakeAndGiveBack(32);
  EXPECT_GT(growth.Kilobytes(), 30 * kMiB);
}

TEST(MemoryGrowth, IsThatOfAllThreads) {
  const MemoryGrowth growth;
  std::thread(TakeAndGiveBack, 64).join();
  EXPECT_GT(growth.Kilobytes(), 62 * kMiB);
}

TEST(LiveHeapBytes, AreThoseThatAreHeldNow) {
  const size_t before = LiveHeapBytes();
  auto held = std::make_unique<std::vector<char>>(50 << 20);
  EXPECT_GE(LiveHeapBytes() - before, size_t{50} << 20);
  held.reset();
  EXPECT_LT(LiveHeapBytes() - before, size_t{1} << 20);
}

}  // namespace
}  // namespace fensi
