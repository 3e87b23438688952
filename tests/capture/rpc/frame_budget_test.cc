#include "capture/rpc/frame_budget.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace fensi::capture {
namespace {

/// Frames that are read piece by piece and then worked on, in any order.
class Frames {
 public:
  Frames(size_t limit, size_t count, size_t bytes) : budget_(limit), frames_(count) {
    for (Frame& frame : frames_) {
      frame.id = budget_.NewFrame();
      frame.left = bytes;
    }
  }
  void Ask(size_t i, size_t piece) {
    Frame& frame = frames_[i];
    if (frame.waits || frame.left == 0) return;
    frame.waits = true;
    piece = std::min(piece, frame.left);
    budget_.Reserve(frame.id, piece, [&frame, piece] {
      frame.waits = false;
      frame.left -= piece;
      frame.room += piece;
    });
  }
  /// True when the frame was whole.
  bool End(size_t i) {
    Frame& frame = frames_[i];
    if (frame.left > 0 || frame.room == 0) return false;
    budget_.Release(frame.id, std::exchange(frame.room, 0));
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
  const uint64_t first = budget.NewFrame(), gone = budget.NewFrame(), last = budget.NewFrame();
  int granted = 0;
  budget.Reserve(first, 20, [&] { ++granted; });
  budget.Reserve(gone, 20, [&] { granted += 100; });
  budget.Reserve(last, 20, [&] { ++granted; });
  EXPECT_EQ(granted, 1);
  budget.Forget(gone);
  budget.Release(first, 20);
  EXPECT_EQ(granted, 2);
}

}  // namespace
}  // namespace fensi::capture
