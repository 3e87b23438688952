#include "tests/indexer/support/chaos_generator.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "tests/indexer/support/chaos_law.h"
#include "tests/indexer/support/dice.h"

namespace fensi::testing {
namespace {

constexpr int64_t kAll = 100'000;  // events of a batch
constexpr int kTries = 10;         // at an event that the law allows

class Generator {
 public:
  Generator(uint64_t seed, const ChaosKind& kind, ChaosShape shape) : dice_(DiceOf(seed)), kind_(kind), shape_(shape) {
    made_.setting.kind = &kind;
  }

  ChaosHistory Make() {
    DrawSize();
    DrawSetting();
    DrawTimes();
    DrawEvents();
    if (shape_ == ChaosShape::kBacklog) {
      Backlog();
    } else {
      Mixed();
    }
    return std::move(made_);
  }

 private:
  bool Percent(int chance) const { return testing::Percent(dice_, chance); }
  bool days() const { return kind_.rule.period_tables.size() > 1; }
  void Add(ChaosStep step) { made_.steps.push_back(std::move(step)); }

  void DrawSize();
  void DrawSetting();
  void DrawTimes();
  void DrawTtl();
  void DrawDays();
  void DrawEvents();
  ChangeEvent SomeEvent(int64_t now) const;
  Cell SomeCell(const std::string& row, int64_t now) const;
  int64_t SomePutTime(const std::string& row, const std::string& column, int64_t now) const;
  int64_t TimeOfSomePut(const std::string& row, const std::string& column, int64_t otherwise) const;
  int64_t Ahead(int64_t now, int chance, int most) const;
  int64_t Back(int64_t now) const { return std::max<int64_t>(1, now - made_.setting.tick * dice_(0, 6)); }

  void Mixed();
  void Between(int chance, int most);
  void Backlog();
  void ReplayInChaos();
  ChaosStep Apply() const;
  ChaosStep Other() const;
  Death SomeDeath(int most) const;

  const Dice dice_;
  const ChaosKind& kind_;
  const ChaosShape shape_;
  ChaosHistory made_;
  std::vector<ChaosStep> events_;
  std::vector<std::string> values_;
  int size_ = 0, rows_ = 0;
  bool clock_moves_ = false, late_puts_ = false, version_deletes_ = false, ahead_ = false, requests_ = false;
  int deaths_ = 0;  // percent
};

void Generator::DrawSize() {
  size_ = shape_ == ChaosShape::kLong ? dice_(100, 500) : dice_(4, 30);
  if (shape_ == ChaosShape::kBacklog) size_ = Percent(50) ? dice_(3, 12) : dice_(12, 60);
  rows_ = 2 + dice_(0, size_ > 60 ? 10 : 3);
  values_ = kind_.values;
  if (size_ > 60) values_.insert(values_.end(), {"d", "e", "f", "g", "h"});
}

void Generator::DrawSetting() {
  ChaosSetting& s = made_.setting;
  const bool shared = kind_.keys == ChaosKind::Keys::kShared, plain = kind_.keys == ChaosKind::Keys::kPlain;
  s.with_source = Percent(75);
  s.tight = Percent(30);
  s.read_points = s.with_source && Percent(40);
  s.catches_up = s.read_points && Percent(50);
  s.numbered = s.read_points || Percent(60);
  s.ordered = (kind_.several_columns && !plain) || Percent(50);
  s.bucket_bits = dice_(0, 4);
  const bool any_time = (s.ordered || plain) && !shared;
  late_puts_ = any_time && Percent(40);
  version_deletes_ = any_time && Percent(shape_ == ChaosShape::kBacklog ? 70 : 40);
  ahead_ = any_time && Percent(20);
  requests_ = s.with_source && Percent(60);
  deaths_ = Percent(75) ? dice_(10, 70) : 0;
}

void Generator::DrawTimes() {
  constexpr int64_t kTicks[] = {3, 50, 1000, 5000, 20'000, 20'000};
  ChaosSetting& s = made_.setting;
  s.tick = OneOf(dice_, kTicks);
  if (kind_.keys == ChaosKind::Keys::kShared) s.tick = std::max<int64_t>(s.tick, 1000);
  s.start = Percent(50) ? kDayMillis / 2 : 100;
  if (days()) return DrawDays();
  // A period table is of one day.
  if (!kind_.rule.period_tables.empty()) {
    s.tick = std::min(s.tick, kDayMillis / (2 * size_));
    s.start = kDayMillis / 2;
  } else if (kind_.ttl != ChaosKind::Ttl::kNone && Percent(50)) {
    DrawTtl();
  }
}

void Generator::DrawTtl() {
  ChaosSetting& s = made_.setting;
  s.exact = kind_.ttl == ChaosKind::Ttl::kAny && Percent(50);
  s.tick = std::max<int64_t>(s.tick, 1000);
  const int64_t all = s.tick * size_ / 1000;
  const int64_t ttl = Percent(70) ? s.tick * dice_(2, 7) / 1000 + dice_(0, 2) : all / dice_(1, 5);
  s.ttl_s = static_cast<int>(std::max<int64_t>(2, ttl));
  // Keys that pass when they end are few keys.
  if (Percent(70)) values_.resize(static_cast<size_t>(dice_(1, 3)));
  if (Percent(60)) rows_ = 2;
  s.behind = OneOf(dice_, std::vector<int64_t>{0, 0, 1, 100, 4000});
  s.start = 1'000'000;
  clock_moves_ = true;
}

void Generator::DrawDays() {
  ChaosSetting& s = made_.setting;
  const auto most = static_cast<int64_t>(kind_.rule.period_tables.size()) * 2 / 3;
  clock_moves_ = Percent(60);
  s.start = clock_moves_ ? 100 : 2 * kDayMillis;
  s.tick = std::min(kDayMillis / OneOf(dice_, std::vector<int64_t>{2, 7, std::max(8, size_ / 2)}),
                    (clock_moves_ ? most : 2) * kDayMillis / size_);
}

int64_t Generator::Ahead(int64_t now, int chance, int most) const {
  const bool ahead = ahead_ && made_.setting.ordered && Percent(chance);
  return ahead ? now + made_.setting.tick * dice_(0, most) + dice_(0, 2) : now;
}

/// Of the column's last puts: an older version is uncovered, or a second put has the same time.
int64_t Generator::TimeOfSomePut(const std::string& row, const std::string& column, int64_t otherwise) const {
  std::vector<int64_t> times;
  for (auto step = events_.rbegin(); step != events_.rend() && times.size() < 3; ++step) {
    for (const Cell& cell : step->event.cells) {
      const bool its = step->event.row == row && cell.qualifier == column && cell.type == CellType::kPut;
      if (its) times.push_back(cell.timestamp);
    }
  }
  return times.empty() ? otherwise : OneOf(dice_, times);
}

int64_t Generator::SomePutTime(const std::string& row, const std::string& column, int64_t now) const {
  if (!late_puts_ || !Percent(25)) return Ahead(now, 15, 4);
  const int64_t late = std::max<int64_t>(2, now - made_.setting.tick * dice_(1, 7) - dice_(0, 2));
  return Percent(20) ? TimeOfSomePut(row, column, late) : late;
}

Cell Generator::SomeCell(const std::string& row, int64_t now) const {
  Cell cell{.family = "f", .qualifier = std::string(1, OneOf(dice_, kind_.columns)), .timestamp = now};
  const int what = dice_(0, 10);
  if (what <= 5) {
    cell.value = OneOf(dice_, values_);
    cell.timestamp = SomePutTime(row, cell.qualifier, now);
  } else if (what == 6 && version_deletes_) {
    cell.type = CellType::kDelete;
    cell.timestamp = Percent(80) ? TimeOfSomePut(row, cell.qualifier, Back(now)) : Back(now);
  } else if (what == 7) {
    cell.type = CellType::kDeleteFamily;
    cell.qualifier.clear();
    cell.timestamp = Ahead(now, 15, 3);
  } else {
    cell.type = CellType::kDeleteColumn;
    cell.timestamp = late_puts_ && Percent(20) ? Back(now) : Ahead(now, 15, 3);
  }
  return cell;
}

ChangeEvent Generator::SomeEvent(int64_t now) const {
  ChangeEvent event{.table = "source", .row = "r" + std::to_string(dice_(0, rows_)), .cells = {}};
  event.cells.push_back(SomeCell(event.row, now));
  if (Percent(80)) return event;
  const Cell more = SomeCell(event.row, now);
  if (more.qualifier != event.cells.front().qualifier) event.cells.push_back(more);
  return event;
}

void Generator::DrawEvents() {
  const ChaosSetting& s = made_.setting;
  ChaosLaw law(s);
  for (int n = 0; n < size_; ++n) {
    const auto number = static_cast<int64_t>(events_.size()) + 1;
    const int64_t now = (clock_moves_ ? s.start : 10) + number * s.tick;
    const int64_t clock = clock_moves_ ? now - s.behind : s.start;
    for (int attempt = 0; attempt < kTries; ++attempt) {
      ChaosStep step{.event = SomeEvent(now), .clock = clock};
      if (!law.Take(step)) continue;
      step.early = Percent(s.ordered ? 15 : 30) ? dice_(1, 4) : 0;
      events_.push_back(std::move(step));
      break;
    }
  }
}

Death Generator::SomeDeath(int most) const {
  return {dice_(1, most + 1), OneOf(dice_, kWriteFaults), static_cast<uint64_t>(dice_(0, 1000))};
}

ChaosStep Generator::Apply() const {
  ChaosStep step{.kind = ChaosStep::kApply, .partition = dice_(0, kChaosPartitions), .n = dice_(1, 6)};
  if (Percent(35)) step.n = Percent(50) ? kAll : dice_(1, size_ + 1);
  if (Percent(deaths_)) step.death = SomeDeath(Percent(80) ? 6 : 40);
  step.commit = Percent(40);
  return step;
}

ChaosStep Generator::Other() const {
  ChaosStep step{.partition = dice_(0, kChaosPartitions)};
  const int what = dice_(0, 10);
  if (what <= 3 && requests_) {
    step.kind = ChaosStep::kRequest;
    if (Percent(70)) step.row = "r" + std::to_string(dice_(0, rows_));
    step.recheck = Percent(50);
  } else if (what <= 5 && requests_) {
    step.kind = ChaosStep::kApplyRequests;
    if (Percent(deaths_ / 2)) step.death = SomeDeath(6);
  } else if (what == 6) {
    step.kind = ChaosStep::kDeliverLate;
    step.n = dice_(1, 4);
  } else if (what == 7) {
    step.kind = ChaosStep::kRepeat;
    step.n = dice_(1, 9);
    step.from = static_cast<size_t>(dice_(0, size_));
  } else if (what == 8 && made_.setting.with_source) {
    step.kind = ChaosStep::kShowLate;
    step.n = dice_(0, 2);  // a row gets a key after readers see that the other one has lost it
  } else if (what == 9 && Percent(30)) {
    step.kind = ChaosStep::kCompactIndex;
  } else {
    return Apply();
  }
  return step;
}

void Generator::Between(int chance, int most) {
  for (int n = dice_(0, most); n > 0; --n) Add(Percent(chance) ? Apply() : Other());
}

void Generator::ReplayInChaos() {
  Add({.kind = ChaosStep::kReplay});
  Between(60, 12);
  Add({.kind = ChaosStep::kSettle});
}

void Generator::Mixed() {
  const int piece = Percent(30) ? size_ : dice_(1, 7) + (size_ > 60 ? size_ / 6 : 0);
  for (size_t next = 0; next < events_.size();) {
    const size_t end = std::min(events_.size(), next + static_cast<size_t>(dice_(1, piece + 1)));
    for (; next < end; ++next) Add(events_[next]);
    Between(60, 4);
    if (!Percent(10)) continue;
    Add({.kind = ChaosStep::kSettle});
    if (Percent(50)) Add({.kind = ChaosStep::kPurge});
    if (Percent(50)) Add({.kind = ChaosStep::kReplay});
    Between(60, 6);
  }
  Between(60, 6);
  Add({.kind = ChaosStep::kSettle});
  Add({.kind = ChaosStep::kPurge});
  Add({.kind = ChaosStep::kSettle});
  ReplayInChaos();
}

void Generator::Backlog() {
  for (const ChaosStep& event : events_) Add(event);
  for (int n = 0; n < 14; ++n) {
    ChaosStep step{.kind = ChaosStep::kApply, .partition = dice_(0, kChaosPartitions), .n = dice_(1, 3)};
    if (Percent(45)) step.n = kAll;
    if (step.n == kAll || Percent(10)) step.death = SomeDeath(5);
    step.commit = Percent(80);
    Add(step);
    if (Percent(15)) Add({.kind = ChaosStep::kDeliverLate, .n = 1});
    if (Percent(15)) Add(Other());
  }
  Add({.kind = ChaosStep::kSettle});
  ReplayInChaos();
}

}  // namespace

ChaosHistory SomeChaos(uint64_t seed, const ChaosKind& kind, ChaosShape shape) {
  // Kinds differ in their histories, not in their indexes alone.
  for (const char letter : kind.name) seed = seed * 31 + static_cast<uint64_t>(letter);
  return Generator(seed, kind, shape).Make();
}

}  // namespace fensi::testing
