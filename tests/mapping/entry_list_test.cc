// The entries of one event, however much they take together.
#include "mapping/entry_list.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

namespace fensi::mapping {
namespace {

constexpr Entry kEntry{.table = "t", .row = "row", .family = "f", .qualifier = "qual", .value = "value", .period = 7};

void ExpectSame(const Entry& found, const Entry& wanted) {
  EXPECT_TRUE(SameCell(found, wanted));
  EXPECT_EQ(found.value, wanted.value);
  EXPECT_EQ(found.expires_at, wanted.expires_at);
  EXPECT_EQ(found.period, wanted.period);
}

TEST(EntryList, GivesBackWhatWasAdded) {
  EntryList list;
  Entry other = kEntry;
  other.row = "";
  other.expires_at = 9;
  list.Add(kEntry);
  list.Add(other);
  ASSERT_EQ(list.size(), 2u);
  ExpectSame(list[0], kEntry);
  ExpectSame(list[1], other);
}

TEST(EntryPlace, LiesBehindFourGigabytesToo) {
  constexpr size_t kFar = (size_t{4} << 30) + 12, kBytes = kFar + 4096;
  // Only the page that is written to takes memory.
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  char* bytes = static_cast<char*>(memory);
  std::memcpy(bytes + kFar, "trowfqualvalue", 14);
  const EntryPlace place(kEntry, kFar);
  ExpectSame(place.In({bytes, kBytes}), kEntry);
  munmap(memory, kBytes);
}

}  // namespace
}  // namespace fensi::mapping
