#include "capture/rpc/frame_budget.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace fensi::capture {
namespace {

/// Frames that are read piece by piece and then worked on, in any order.
class Frames {
 public:
  Frames(size_t limit, size_t count, size_t bytes) : budget_(limit), frames_(count) {
    for (Frame& frame : frames_) {
      frame.id = budget_.Begin(std::to_string(count-- % 3), [] {});
      frame.left = bytes;
    }
  }
  void Ask(size_t i, size_t piece) {
    Frame& frame = frames_[i];
    if (frame.waits || frame.left == 0) return;
    frame.waits = true;
    piece = std::min(piece, frame.left);
    budget_.Reserve(frame.id, piece, [this, &frame, piece] {
      frame.waits = false;
      frame.left -= piece;
      frame.room += piece;
      budget_.Came(frame.id);
    });
  }
  /// True when the frame was whole.
  bool End(size_t i) {
    Frame& frame = frames_[i];
    if (frame.left > 0 || frame.room == 0) return false;
    budget_.End(frame.id);
    frame.room = 0;
    return true;
  }
  size_t used() const { return budget_.used(); }

 private:
  struct Frame {
    uint64_t id = 0;
    size_t left = 0, room = 0;
    bool waits = false;
  };
  FrameBudget budget_;
  std::vector<Frame> frames_;
};

TEST(FrameBudget, NeverLetsFramesWaitForEachOtherAndKeepsItsBound) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    const size_t limit = random() % 200, count = 1 + random() % 8, bytes = 1 + random() % 100;
    Frames frames(limit, count, bytes);
    size_t ended = 0;
    for (int step = 0; step < 100'000 && ended < count; ++step) {
      const size_t i = random() % count;
      frames.Ask(i, 1 + random() % 20);
      EXPECT_LE(frames.used(), limit + bytes);
      if (random() % 3 == 0) ended += frames.End(random() % count);
    }
    EXPECT_EQ(ended, count) << "limit " << limit << ", frames of " << bytes;
    EXPECT_EQ(frames.used(), 0u);
  }
}

TEST(FrameBudget, ForgetsWhoIsGone) {
  FrameBudget budget(10);
  const auto begin = [&] { return budget.Begin("a", [] {}); };
  const uint64_t first = begin(), gone = begin(), last = begin();
  int granted = 0;
  budget.Reserve(first, 20, [&] { ++granted; });
  budget.Reserve(gone, 20, [&] { granted += 100; });
  budget.Reserve(last, 20, [&] { ++granted; });
  EXPECT_EQ(granted, 1);
  budget.End(gone);
  budget.End(first);
  EXPECT_EQ(granted, 2);
  EXPECT_EQ(budget.frames(), 1u);
}

TEST(FrameBudget, WhoHoldsLeastComesFirstThenWhoseFrameIsOldest) {
  FrameBudget budget(10);
  std::string order;
  const auto wants = [&](const std::string& owner, char name) {
    const uint64_t frame = budget.Begin(owner, [] {});
    budget.Reserve(frame, 5, [&order, name] { order += name; });
    return frame;
  };
  const uint64_t a = wants("busy", 'a'), b = wants("busy", 'b');
  wants("busy", 'c');  // beyond the limit
  wants("busy", 'd');
  wants("quiet", 'x');
  budget.End(a);
  EXPECT_EQ(order, "abc") << "as much as the limit is in hand";
  budget.End(b);
  EXPECT_EQ(order, "abcx");
}

TEST(FrameBudget, ClosesWhatDoesNotComeUntilNobodyWaits) {
  FrameBudget budget(10);
  std::string closed;
  std::map<char, uint64_t> frames;
  const auto begin = [&](const std::string& owner, char name) {
    frames[name] = budget.Begin(owner, [&, name] {
      closed += name;
      budget.End(frames[name]);
    });
    return frames[name];
  };
  budget.Reserve(begin("one", 'o'), 1, [] {});
  for (const char name : {'a', 'b', 'c'}) budget.Reserve(begin("many", name), 4, [] {});
  budget.CloseStalled(std::chrono::milliseconds(0));
  EXPECT_EQ(closed, "") << "nobody waits";
  budget.Came(frames['a']);
  int granted = 0;
  budget.Reserve(begin("good", 'g'), 1, [&] { ++granted; });
  budget.CloseStalled(std::chrono::hours(1));
  EXPECT_EQ(closed, "") << "not yet";
  budget.CloseStalled(std::chrono::milliseconds(0));
  EXPECT_EQ(closed, "b") << "a has come, and one was enough";
  EXPECT_EQ(granted, 1);
}

}  // namespace
}  // namespace fensi::capture
