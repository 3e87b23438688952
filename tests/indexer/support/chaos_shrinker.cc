#include "tests/indexer/support/chaos_shrinker.h"

#include <algorithm>
#include <utility>

namespace fensi::testing {
namespace {

class Shrinker {
 public:
  Shrinker(ChaosHistory history, int most_tries, const std::function<bool(const ChaosHistory&)>& fails)
      : history_(std::move(history)), fails_(fails), tries_left_(most_tries) {}

  ChaosHistory Run() {
    do {
      smaller_ = false;
      WithoutSteps();
      WithSimplerSteps();
      WithSimplerSetting();
    } while (smaller_ && tries_left_ > 0);
    return std::move(history_);
  }

 private:
  template <typename Change>
  bool Try(Change change) {
    ChaosHistory other = history_;
    change(&other);
    if (tries_left_ == 0 || other.Text() == history_.Text()) return false;
    --tries_left_;
    if (!fails_(other)) return false;
    history_ = std::move(other);
    smaller_ = true;
    return true;
  }
  template <typename Change>
  void TryStep(size_t i, Change change) {
    Try([&](ChaosHistory* other) { change(&other->steps[i]); });
  }

  void WithoutSteps();
  void WithSimplerSteps();
  void WithSimplerSetting();

  ChaosHistory history_;
  const std::function<bool(const ChaosHistory&)>& fails_;
  int tries_left_;
  bool smaller_ = false;
};

void Shrinker::WithoutSteps() {
  for (size_t size = std::max<size_t>(1, history_.steps.size() / 2); size > 0; size /= 2) {
    for (size_t at = 0; at < history_.steps.size();) {
      const size_t end = std::min(history_.steps.size(), at + size);
      const bool taken_out = Try([&](ChaosHistory* other) {
        other->steps.erase(other->steps.begin() + static_cast<ptrdiff_t>(at),
                           other->steps.begin() + static_cast<ptrdiff_t>(end));
      });
      if (!taken_out) at = end;
    }
  }
}

void Shrinker::WithSimplerSteps() {
  for (size_t i = 0; i < history_.steps.size(); ++i) {
    TryStep(i, [](ChaosStep* step) { step->death.write = 0; });
    TryStep(i, [](ChaosStep* step) { step->death.fault = WriteFault::kBefore; });
    TryStep(i, [](ChaosStep* step) { step->death.fault = WriteFault::kAfter; });
    TryStep(i, [](ChaosStep* step) { step->commit = false; });
    TryStep(i, [](ChaosStep* step) { step->early = 0; });
    TryStep(i, [](ChaosStep* step) { step->n = std::min<int64_t>(step->n, 1); });
    for (size_t cell = history_.steps[i].event.cells.size(); cell > 0 && history_.steps[i].event.cells.size() > 1;
         --cell) {
      TryStep(i, [&](ChaosStep* step) {
        step->event.cells.erase(step->event.cells.begin() + static_cast<ptrdiff_t>(cell - 1));
      });
    }
  }
}

void Shrinker::WithSimplerSetting() {
  Try([](ChaosHistory* other) { other->setting.tight = false; });
  Try([](ChaosHistory* other) { other->setting.catches_up = false; });
  Try([](ChaosHistory* other) { other->setting.read_points = false; });
  Try([](ChaosHistory* other) { other->setting.numbered = other->setting.read_points; });
  Try([](ChaosHistory* other) { other->setting.with_source = other->setting.read_points; });
  Try([](ChaosHistory* other) { other->setting.bucket_bits = 0; });
  Try([](ChaosHistory* other) { other->setting.ordered = true; });
}

}  // namespace

ChaosHistory Shrunk(ChaosHistory history, int most_tries, const std::function<bool(const ChaosHistory&)>& fails) {
  return Shrinker(std::move(history), most_tries, fails).Run();
}

}  // namespace fensi::testing
