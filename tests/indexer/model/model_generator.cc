#include "tests/indexer/model/model_generator.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

namespace fensi::testing {
namespace {

/// More than the minute by which a conversion stands ahead of the clock.
constexpr int kTtlSeconds = 200;
/// More than versions of a cell that several rows give ever rise.
constexpr int64_t kLeastApart = 600;

class Generator {
 public:
  Generator(uint64_t seed, const ModelWish& wish) : random_(seed), wish_(wish) {}

  ModelHistory Make() {
    MakeSetting();
    MakeWeather();
    const int events = wish_.backlog ? wish_.most_events : Below(wish_.most_events) + 2;
    const int rows = wish_.backlog ? wish_.rows : 1 + Below(wish_.rows);
    if (wish_.backlog) return MakeBacklog(events, rows);
    for (int i = 0; i < events; ++i) {
      if (Chance(every_event_waits_ ? 100 : 50)) Wait();
      AddEvent(Below(rows));
      if (Chance(tells_)) AddTell();
      if (Chance(wish_.unrest)) AddOther();
    }
    return history_;
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool Chance(int percent) { return Below(100) < percent; }
  template <typename T>
  T OneOf(std::initializer_list<T> some) {
    return *(some.begin() + Below(static_cast<int>(some.size())));
  }

  void MakeSetting() {
    ModelSetting& setting = history_.setting;
    const std::vector<ModelKind>& kinds = AllKinds();
    kind_ = wish_.kind.empty() ? &kinds[static_cast<size_t>(Below(static_cast<int>(kinds.size())))]
                               : &KindNamed(wish_.kind);
    setting.kind = kind_->name;
    setting.has_source = kind_->stateless || Chance(65);
    if (wish_.ttl != 0 && (wish_.ttl > 0 || Chance(70))) MakeTtls();
    // Version deletes have no stable answer with one version.
    setting.versions = Chance(80) ? 100 : 1;
    setting.keep_deleted = Chance(80) ? 0 : 1 + Below(2);
  }

  void MakeTtls() {
    ModelSetting& setting = history_.setting;
    setting.index_ttl_s = kTtlSeconds / wish_.hurry;
    setting.exact = !kind_->stateless && !kind_->absence_counts && !kind_->shared && Chance(25);
    // "For a `shared:` or `unique:` index, and without a source table, it does not ask. If the source keeps cells
    // longer there, an entry goes with the first event after the assumed end of one of its cells."
    const bool asks = setting.has_source && !kind_->shared && !kind_->unique;
    const bool index_only = !setting.exact && !kind_->stateless && asks && Chance(15);
    setting.source_ttl_s = index_only ? 0 : setting.index_ttl_s;
    // Refused for a shared index: "A shared cell has one version of each source row, so the entry of another row would
    // be missing." That history only counts the refusal.
    if (!index_only && Chance(12)) setting.min_versions = 1;
  }

  /// What this history has of everything.
  void MakeWeather() {
    const ModelSetting& setting = history_.setting;
    const bool ordered = kind_->unique;
    version_deletes_ = setting.versions > 1 && !kind_->unique && Chance(50);
    late_puts_ = Chance(40) && !(kind_->shared && wish_.backlog);
    ties_ = !kind_->unique && !kind_->shared && Chance(30);
    every_event_waits_ = kind_->unique || kind_->shared || Chance(50);
    own_ttls_ = setting.index_ttl_s > 0 && Chance(25);  // else it is outside
    disorder_ = (!ordered || kind_->name == "unique") && !kind_->shared && Chance(30);
    if (kind_->unique && disorder_) late_puts_ = false;  // a row would have a key for a moment that it never had
    // "A delete that arrives after the put it no longer hides, together with a late put and a compaction of the
    // source."
    compact_source_ = setting.has_source && (!disorder_ || AlwaysStateless()) && !kind_->shared && Chance(40);
    repeats_ = Chance(50);
    deaths_ = Chance(50);
    source_late_ = setting.has_source && Chance(30);
    // Without them the order of a row's events is all that is known, and the source is asked.
    history_.setting.sequence_ids = (ties_ && !setting.has_source) || disorder_ || Chance(80);
    history_.setting.read_points = setting.has_source && setting.sequence_ids && Chance(60);
    tells_ = OneOf({100, 60, 30, 8});
    values_ = 2 + Below(3);
  }

  bool AlwaysStateless() const { return kind_->stateless && !kind_->converted; }

  /// Outside with `expire: exact`: "Two puts of one cell and one timestamp, one of which has a TTL of its own, at or
  /// below a family delete that the source has compacted away."
  bool HasAnotherEnd(int row, const ModelCell& cell) {
    if (!compact_source_ || !history_.setting.exact || cell.type != CellType::kPut) return false;
    return ends_.try_emplace({row, cell.qualifier, now_ - cell.age}, cell.ttl).first->second != cell.ttl;
  }

  void Wait() {
    int64_t n = OneOf<int64_t>({1'000, 3'000, 10'000, 30'000, 50'000, 90'000, 120'000, 230'000}) / wish_.hurry;
    if (kind_->unique || kind_->shared) n = std::max(n, kLeastApart);
    history_.steps.push_back({.kind = ModelStep::kWait, .n = n});
    now_ += n;
  }

  std::string SomeValue(const std::string& column) {
    static const char* const kValues[] = {"a", "b", "c", "d"};
    if (kind_->name == "list" && column == "k") return OneOf<const char*>({"a", "b", "a,b", "b,c"});
    const int most = kind_->name == "period" && column == "m" ? 3 : values_;
    return kValues[Below(std::min(most, values_))];
  }

  std::string SomeColumn() {
    if (kind_->unique && kind_->name == "unique") return Chance(80) ? "k" : "v";
    return kind_->name == "pattern" ? OneOf<const char*>({"k", "k", "k2", "v"})
                                    : OneOf<const char*>({"k", "k", "v", "m"});
  }

  int64_t SomeTime(int row) {
    if (late_puts_ && !kind_->unique && Chance(25)) {
      return now_ - OneOf<int64_t>({1'000, 2'000, 8'000, 40'000}) / wish_.hurry;
    }
    if (ties_ && !times_[row].empty() && Chance(25)) {
      return times_[row][static_cast<size_t>(Below(static_cast<int>(times_[row].size())))];
    }
    return now_;
  }

  ModelCell SomeCell(int row) {
    ModelCell cell{.qualifier = SomeColumn(), .age = now_ - SomeTime(row)};
    const int what = Below(version_deletes_ ? 14 : 12);
    if (what == 10) cell.type = CellType::kDeleteColumn;
    if (what == 11) cell.type = CellType::kDeleteFamily;
    if (what == 12) cell.type = CellType::kDelete;
    if (what == 13) cell.type = CellType::kDeleteFamilyVersion;
    if (IsFamilyMarker(cell.type)) cell.qualifier.clear();
    if (cell.type != CellType::kPut) return cell;
    cell.value = SomeValue(cell.qualifier);
    const std::string& last = last_[{row, cell.qualifier}];
    if (!last.empty() && Chance(30)) cell.value = last;
    if (own_ttls_ && Chance(40)) cell.ttl = OneOf<int64_t>({40'000, 150'000}) / wish_.hurry;
    return cell;
  }

  /// A key that another row has is not put.
  bool Lawful(int row, ModelCell* cell) {
    if (!kind_->unique) return true;
    if (late_puts_ && cell->type == CellType::kPut && deleted_.count(row) > 0 && Chance(30)) {
      cell->age = now_ - deleted_[row] + 1'000 / wish_.hurry;  // it stays hidden, or comes to nothing
      return true;
    }
    if (cell->type == CellType::kPut && cell->qualifier == "k") {
      for (const auto& [other, held] : holds_) {
        const bool ended = history_.setting.source_ttl_s > 0 && history_.setting.min_versions == 0 &&
                           held.second + 1'000 * history_.setting.source_ttl_s < now_;
        if (other != row && held.first == cell->value && !ended) return false;
      }
      holds_[row] = {cell->value, now_};
    } else if (cell->type == CellType::kDeleteFamily ||
               (cell->type == CellType::kDeleteColumn && cell->qualifier == "k")) {
      holds_.erase(row);
      deleted_[row] = now_;
    }
    return true;
  }

  void AddEvent(int row) {
    ModelStep step{.kind = ModelStep::kEvent, .row = row};
    const int cells = OneOf({1, 1, 1, 2, 3});
    std::set<std::string> named;
    for (int i = 0; i < cells; ++i) {
      ModelCell cell = SomeCell(row);
      if (kind_->unique && !named.insert(cell.qualifier).second) continue;
      if (!Lawful(row, &cell) || HasAnotherEnd(row, cell)) continue;
      if (cell.type == CellType::kPut) last_[{row, cell.qualifier}] = cell.value;
      times_[row].push_back(now_ - cell.age);
      step.cells.push_back(std::move(cell));
    }
    if (step.cells.empty()) return;
    if (disorder_ && Chance(35)) step.early = 1 + Below(3);
    history_.steps.push_back(std::move(step));
    ++log_;
  }

  void AddTell() {
    ModelStep step{.kind = ModelStep::kTell, .n = OneOf<int64_t>({1, 2, 3, 1000, 1000})};
    if (deaths_ && Chance(35)) {
      step.dies_at = 1 + Below(7);
      step.after = Chance(50);
    }
    step.commit = Chance(75);
    if (source_late_ && Chance(40)) step.late = 1 + Below(2);
    history_.steps.push_back(step);
  }

  void AddOther() {
    ModelStep step;
    switch (Below(7)) {
      case 0:
        if (!compact_source_) return;
        step.kind = ModelStep::kCompactSource;
        compacted_ = log_;
        break;
      case 1:
        step.kind = ModelStep::kCompactIndex;
        step.purge = Chance(50);
        break;
      case 2:
        step.kind = ModelStep::kRestart;
        break;
      case 3:
        if (!kind_->converted) return;
        step.kind = ModelStep::kConvert;
        break;
      case 4:
        if (!history_.setting.read_points) return;
        step.kind = ModelStep::kReopen;
        step.reopening = OneOf({ModelStep::kStays, ModelStep::kMove, ModelStep::kSplit, ModelStep::kCrash});
        step.unlogged = Below(4);
        break;
      default: {
        if (!repeats_ || log_ == 0) return;
        step.kind = ModelStep::kAgain;
        step.from = Below(log_);
        step.n = 1 + Below(log_ - static_cast<int>(step.from));
        // A delete told again behind a put that it no longer hides is outside, once the source was compacted.
        if (compacted_ > 0 && !AlwaysStateless()) {
          if (compacted_ == log_) return;
          step.from = compacted_ + Below(log_ - compacted_);
          step.n = log_ - step.from;
        }
        log_ += static_cast<int>(step.n);
      }
    }
    history_.steps.push_back(step);
  }

  ModelHistory MakeBacklog(int events, int rows) {
    for (int i = 0; i < events; ++i) {
      if (every_event_waits_ || Chance(30)) {
        history_.steps.push_back({.kind = ModelStep::kWait, .n = 1'000});
        now_ += 1'000;
      }
      AddEvent(Below(rows));
    }
    AddTell();
    history_.steps.back().n = 10'000;
    if (repeats_) history_.steps.push_back({.kind = ModelStep::kAgain, .n = log_});
    return history_;
  }

  std::mt19937_64 random_;
  const ModelWish wish_;
  const ModelKind* kind_ = nullptr;
  ModelHistory history_;
  int64_t now_ = 0;
  int log_ = 0, compacted_ = 0, tells_ = 100, values_ = 3;
  bool version_deletes_ = false, late_puts_ = false, ties_ = false, every_event_waits_ = true, own_ttls_ = false;
  bool disorder_ = false, compact_source_ = false, repeats_ = false, deaths_ = false, source_late_ = false;
  std::map<int, std::vector<int64_t>> times_;
  std::map<std::pair<int, std::string>, std::string> last_;
  std::map<int, std::pair<std::string, int64_t>> holds_;
  std::map<int, int64_t> deleted_;
  std::map<std::tuple<int, std::string, int64_t>, int64_t> ends_;
};

}  // namespace

ModelHistory SomeModelHistory(uint64_t seed, const ModelWish& wish) { return Generator(seed, wish).Make(); }

namespace {

/// Takes pieces of steps out, large ones first.
bool WithoutSteps(ModelHistory* history, const std::function<bool(const ModelHistory&)>& fails) {
  bool shorter = false;
  for (size_t size = std::max<size_t>(1, history->steps.size() / 2); size > 0; size /= 2) {
    for (size_t at = 0; at < history->steps.size();) {
      ModelHistory fewer = *history;
      const size_t end = std::min(at + size, fewer.steps.size());
      fewer.steps.erase(fewer.steps.begin() + static_cast<ptrdiff_t>(at),
                        fewer.steps.begin() + static_cast<ptrdiff_t>(end));
      if (fails(fewer)) {
        *history = std::move(fewer);
        shorter = true;
      } else {
        at += size;
      }
    }
  }
  return shorter;
}

bool Simpler(ModelHistory* history, const std::function<bool(const ModelHistory&)>& fails) {
  bool simpler = false;
  const auto attempt = [&](const std::function<void(ModelHistory*)>& change) {
    ModelHistory other = *history;
    change(&other);
    if (other.steps == history->steps && other.setting == history->setting) return false;
    if (!fails(other)) return false;
    *history = std::move(other);
    return simpler = true;
  };
  for (size_t i = 0; i < history->steps.size(); ++i) {
    for (size_t c = 0; history->steps[i].cells.size() > 1 && c < history->steps[i].cells.size();) {
      const auto drop = [&](ModelHistory* other) {
        other->steps[i].cells.erase(other->steps[i].cells.begin() + static_cast<ptrdiff_t>(c));
      };
      if (!attempt(drop)) ++c;
    }
    for (size_t c = 0; c < history->steps[i].cells.size(); ++c) {
      attempt([&](ModelHistory* other) { other->steps[i].cells[c].ttl = 0; });
    }
    attempt([&](ModelHistory* other) { other->steps[i].dies_at = 0; });
    attempt([&](ModelHistory* other) { other->steps[i].after = false; });
    attempt([&](ModelHistory* other) { other->steps[i].late = 0; });
    attempt([&](ModelHistory* other) { other->steps[i].early = 0; });
    attempt([&](ModelHistory* other) { other->steps[i].commit = true; });
    attempt([&](ModelHistory* other) { other->steps[i].unlogged = 0; });
    attempt([&](ModelHistory* other) { other->steps[i].purge = false; });
  }
  for (size_t i = 0; i < history->steps.size(); ++i) {
    if (history->steps[i].kind == ModelStep::kWait) attempt([i](ModelHistory* other) { other->steps[i].n = 1'000; });
  }
  attempt([](ModelHistory* other) { other->setting.sequence_ids = true; });
  attempt([](ModelHistory* other) { other->setting.read_points = false; });
  attempt([](ModelHistory* other) { other->setting.keep_deleted = 0; });
  attempt([](ModelHistory* other) { other->setting.versions = 100; });
  attempt([](ModelHistory* other) { other->setting.min_versions = 0; });
  attempt([](ModelHistory* other) { other->setting.exact = false; });
  const bool index_ttl_alone = history->setting.index_ttl_s > history->setting.source_ttl_s;
  const bool compacted = std::any_of(history->steps.begin(), history->steps.end(),
                                     [](const ModelStep& step) { return step.kind == ModelStep::kCompactSource; });
  if (!KindNamed(history->setting.kind).stateless && !index_ttl_alone && !compacted) {
    attempt([](ModelHistory* other) { other->setting.has_source = false; });
  }
  attempt([](ModelHistory* other) {
    other->setting.source_ttl_s = other->setting.index_ttl_s = 0;
    other->setting.exact = false;
    other->setting.min_versions = 0;
    for (ModelStep& step : other->steps) {
      for (ModelCell& cell : step.cells) cell.ttl = 0;
    }
  });
  return simpler;
}

}  // namespace

ModelHistory Shrunk(ModelHistory history, const std::function<bool(const ModelHistory&)>& fails) {
  for (int round = 0; round < 10; ++round) {
    const bool shorter = WithoutSteps(&history, fails);
    if (!Simpler(&history, fails) && !shorter) break;
  }
  return history;
}

}  // namespace fensi::testing
