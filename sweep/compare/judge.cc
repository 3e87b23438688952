#include "sweep/compare/judge.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "sweep/compare/finding.h"

namespace fensi::sweep {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kMarkPause{500};

}  // namespace

Result<bool> Followed::Has(int64_t time) {
  const milliseconds now = clock_->MonotonicNow();
  if (now >= next_look_) FENSI_RETURN_IF_ERROR(Look(now));
  if (!complete_ || *complete_ > time + skew_.count()) return true;
  // M27: before a bulk load that waits, the watermark stands still although a daemon runs.
  return !held_ && now - risen_ >= kStill;
}

/// Reads the watermark. A missing meta table or index means that there is none.
Status Followed::Look(milliseconds now) {
  next_look_ = now + kMarkPause;
  const Result<std::optional<meta::IndexState>> state = record_.Read();
  if (state.status().code() == StatusCode::kNotFound) return {};
  FENSI_RETURN_IF_ERROR(state.status());
  const bool ours = state->has_value() && (*state)->incarnation == incarnation_;
  const std::optional<int64_t> complete = ours ? (*state)->complete : std::nullopt;
  if (complete != complete_) risen_ = now;
  complete_ = complete;
  const bool held = ours && (*state)->reached > complete;
  if (held_ && !held) risen_ = now;
  held_ = held;
  return {};
}

namespace {

using std::chrono::milliseconds;

constexpr int kRounds = 2;
constexpr int kTries = 5;
constexpr size_t kAtOnce = 20'000;
constexpr size_t kMostHeldBytes = size_t{64} << 20;
constexpr milliseconds kLook{100};
constexpr size_t kShownBytes = 300;

Hash ValueHash(std::string_view value) {
  Hasher hasher;
  hasher.Add(value);
  return hasher.hash();
}

/// Why the entry may never be in the index; empty: it may.
std::string KeptBeyondTtl(const std::optional<mapping::Entry>& entry, int64_t now) {
  if (!entry || entry->expires_at >= now) return "";
  return "the source still shows the cells of this entry, although they are older than the TTL under 'create:'. "
         "Compare TTL and MIN_VERSIONS of the tables with 'fensi check MAPPING --online --store URL'";
}

}  // namespace

Status WaitUntil(milliseconds until, Clock* clock, const std::function<Status()>& go_on) {
  while (true) {
    if (go_on) FENSI_RETURN_IF_ERROR(go_on());
    const milliseconds now = clock->MonotonicNow();
    if (now >= until) return Status();
    clock->Sleep(std::min(kLook, until - now));
  }
}

Result<bool> AwaitIndex(milliseconds recheck, const IsCaughtUp& followed, Clock* clock,
                        const std::function<Status()>& go_on) {
  const int64_t shown = clock->WallMillis();
  FENSI_RETURN_IF_ERROR(WaitUntil(clock->MonotonicNow() + recheck, clock, go_on));
  for (bool awaited = false;; awaited = true) {
    FENSI_ASSIGN_OR_RETURN(const bool has, followed ? followed(shown) : Result<bool>(true));
    if (has) return awaited;
    FENSI_RETURN_IF_ERROR(WaitUntil(clock->MonotonicNow() + kLook, clock, go_on));
  }
}

std::string ShownValue(std::string_view value) { return EscapeSome(value, kShownBytes); }

Judge::Judge(const mapping::Index* index, store::Store* store, Clock* clock, JudgeOptions options, FindingSink* sink,
             Counts* counts)
    : index_(index),
      store_(store),
      clock_(clock),
      options_(std::move(options)),
      sink_(sink),
      counts_(counts),
      cells_(index, store),
      derivation_(index),
      times_(index, options_.newest_put) {}

size_t Judge::Suspect::HeldBytes() const {
  size_t bytes = sizeof(Suspect) + kShownBytes + unit.row.size() + cell.HeldBytes();
  if (unit.column) bytes += unit.column->family.size() + unit.column->qualifier.size();
  return bytes;
}

bool Judge::full() const {
  return fresh_.size() + waiting_.size() >= options_.max_suspects || held_bytes_ >= kMostHeldBytes;
}

void Judge::Add(From from, const SourceUnit& unit, const mapping::Entry& cell) {
  Suspect suspect;
  suspect.from = from;
  suspect.unit = unit;
  suspect.cell = IndexCell::Of(cell);
  suspect.seen = clock_->WallMillis();
  held_bytes_ += suspect.HeldBytes();
  ++counts_->open;
  fresh_.push_back(std::move(suspect));
}

Status Judge::Advance() {
  FENSI_RETURN_IF_ERROR(RereadSource());
  return ReadSourceNow();
}

Status Judge::Wait(bool for_all) {
  while (for_all ? !fresh_.empty() || !waiting_.empty() : full()) {
    FENSI_RETURN_IF_ERROR(Advance());
    if (!fresh_.empty() || waiting_.empty()) continue;
    FENSI_RETURN_IF_ERROR(WaitUntil(waiting_.front().due, clock_, options_.go_on));
  }
  return Status();
}

std::deque<Judge::Suspect> Judge::TakeFresh() {
  std::deque<Suspect> taken;
  while (!fresh_.empty() && taken.size() < kAtOnce) {
    taken.push_back(std::move(fresh_.front()));
    fresh_.pop_front();
  }
  return taken;
}

/// Takes the suspects that waited long enough, and whose source row the index has followed.
Result<std::deque<Judge::Suspect>> Judge::TakeFollowed() {
  std::deque<Suspect> taken;
  const milliseconds now = clock_->MonotonicNow();
  while (!waiting_.empty() && taken.size() < kAtOnce && waiting_.front().due <= now) {
    if (options_.followed) {
      FENSI_ASSIGN_OR_RETURN(const bool followed, options_.followed(waiting_.front().shown));
      if (!followed) {
        counts_->awaited_mark = true;
        waiting_.front().due = now + kLook;
        break;
      }
    }
    taken.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  return taken;
}

Status Judge::ReadSourceNow() {
  std::deque<Suspect> suspects = TakeFresh();
  if (suspects.empty()) return Status();
  FENSI_RETURN_IF_ERROR(ReadSource(&suspects, [this](const store::Row& row, Batch batch) {
    const Hash image = ImageOf(*index_, row);
    for (Suspect* suspect : batch) suspect->image = image;
    return Status();
  }));
  // M18: the index gets time to follow its source.
  const milliseconds due = clock_->MonotonicNow() + options_.recheck;
  const int64_t shown = clock_->WallMillis();
  for (Suspect& suspect : suspects) {
    suspect.due = due;
    suspect.shown = shown;
    waiting_.push_back(std::move(suspect));
  }
  return Status();
}

Status Judge::RereadSource() {
  FENSI_ASSIGN_OR_RETURN(std::deque<Suspect> suspects, TakeFollowed());
  if (suspects.empty()) return Status();
  FENSI_RETURN_IF_ERROR(ReadIndex(&suspects));
  FENSI_RETURN_IF_ERROR(ReadTimes(&suspects));
  return ReadSource(&suspects, [this](const store::Row& row, Batch batch) { return JudgeUnit(row, batch); });
}

Status Judge::ReadIndex(std::deque<Suspect>* suspects) {
  std::vector<mapping::Entry> cells;
  cells.reserve(suspects->size());
  for (const Suspect& suspect : *suspects) cells.push_back(suspect.cell.View());
  return cells_.Read(cells, [&](size_t place, const Cell* cell) {
    Suspect& suspect = (*suspects)[place];
    suspect.found = cell != nullptr;
    suspect.value_text = cell == nullptr ? "" : ShownValue(cell->value);
    suspect.timestamp = cell == nullptr ? 0 : cell->timestamp;
    if (cell != nullptr) suspect.value = ValueHash(cell->value);
  });
}

Status Judge::ReadTimes(std::deque<Suspect>* suspects) {
  std::vector<SourceUnit> units;
  std::vector<Suspect*> asked;
  for (Suspect& suspect : *suspects) {
    suspect.newest_put = INT64_MAX;
    if (suspect.from != From::kSource || !suspect.found) continue;
    if (!times_.MayBeTooNew(suspect.unit, suspect.cell.View(), suspect.timestamp, INT64_MIN)) continue;
    units.push_back(suspect.unit);
    asked.push_back(&suspect);
  }
  FENSI_ASSIGN_OR_RETURN(const std::vector<int64_t> newest, times_.NewestPuts(units));
  for (size_t i = 0; i < asked.size(); ++i) asked[i]->newest_put = newest[i];
  return {};
}

bool Judge::IsTooNew(const Suspect& suspect) const {
  // M18: the entry would hide later changes of its row.
  return suspect.timestamp > std::max(suspect.newest_put, suspect.newest_source);
}

Status Judge::ReadSource(std::deque<Suspect>* suspects, const std::function<Status(const store::Row&, Batch)>& use) {
  std::vector<Suspect*> order;
  for (Suspect& suspect : *suspects) order.push_back(&suspect);
  std::stable_sort(order.begin(), order.end(),
                   [](const Suspect* a, const Suspect* b) { return UnitBefore(a->unit, b->unit); });
  std::vector<store::GetRequest> requests;
  std::vector<Batch> batches;
  for (Batch left(order); !left.empty(); left = left.subspan(batches.back().size())) {
    const auto other = [&](const Suspect* suspect) { return !(suspect->unit == left[0]->unit); };
    const auto end = std::find_if(left.begin(), left.end(), other);
    batches.push_back(left.first(static_cast<size_t>(end - left.begin())));
    requests.push_back(UnitRequest(*index_, left[0]->unit));
  }
  return GetEach(store_, index_->source_table(), requests,
                 [&](size_t request, const store::Row& row) { return use(row, batches[request]); });
}

Status Judge::JudgeUnit(const store::Row& row, Batch suspects) {
  if (NewestOf(*index_, row) > options_.as_of) {
    for (const Suspect* suspect : suspects) LeaveOut(*suspect);
    return {};
  }
  const Hash image = ImageOf(*index_, row);
  mapping::EntryList entries;
  const bool whole = derivation_.DeriveAll(row, &entries);
  const EntryMap by_cell(entries);
  for (Suspect* suspect : suspects) {
    suspect->newest_source = NewestOf(*index_, row);
    FENSI_RETURN_IF_ERROR(JudgeOne(image, whole, by_cell.Find(suspect->cell.View()), suspect));
  }
  return Status();
}

Status Judge::JudgeOne(const Hash& image, bool whole, const std::optional<mapping::Entry>& entry, Suspect* suspect) {
  if (suspect->found && suspect->timestamp > options_.as_of) {
    LeaveOut(*suspect);
    return {};
  }
  if (!whole) return Report(Finding::Kind::kUndecided, "", kRowTooLarge, *suspect);
  // M18: the source row changed between the two reads, so the round proves nothing.
  if (image != suspect->image) return BeginAgain(suspect);
  const std::optional<Finding::Kind> difference = Difference(entry, *suspect);
  if (difference) return Found(entry, *difference, suspect);
  ++counts_->in_flight;
  Close(*suspect);
  return Status();
}

std::optional<Finding::Kind> Judge::Difference(const std::optional<mapping::Entry>& entry,
                                               const Suspect& suspect) const {
  if (suspect.from == From::kIndex) {
    return !entry && suspect.found ? std::optional(Finding::Kind::kOrphan) : std::nullopt;
  }
  if (!entry) return std::nullopt;
  const Expectation now(*index_, clock_->WallMillis());
  if (!now.Inside(*entry) || now.Expires(*entry)) return std::nullopt;
  if (!suspect.found) return Finding::Kind::kMissing;
  const bool same = index_->shared() || ValueHash(entry->value) == suspect.value;
  return same && !IsTooNew(suspect) ? std::nullopt : std::optional(Finding::Kind::kContentDiffers);
}

Status Judge::BeginAgain(Suspect* suspect) {
  if (++suspect->tries == kTries) {
    return Report(Finding::Kind::kUndecided, "", "the source row changed during each attempt to compare it", *suspect);
  }
  // M18: the rounds must follow one another.
  suspect->rounds = 0;
  Again(suspect);
  return Status();
}

Status Judge::Found(const std::optional<mapping::Entry>& entry, Finding::Kind kind, Suspect* suspect) {
  const int64_t before = std::exchange(suspect->found_at, suspect->timestamp);
  // M18: an orphan must be the same version in both rounds. An entry that existed for a moment only looks alike.
  if (kind == Finding::Kind::kOrphan && suspect->rounds > 0 && before != suspect->found_at) return BeginAgain(suspect);
  if (++suspect->rounds == kRounds) {
    const bool too_new = kind == Finding::Kind::kContentDiffers && ValueHash(entry->value) == suspect->value;
    const std::string reason =
        too_new ? TooNewText(suspect->timestamp, suspect->newest_put) : KeptBeyondTtl(entry, clock_->WallMillis());
    return Report(kind, !entry ? "" : ShownValue(entry->value), reason, *suspect);
  }
  Again(suspect);
  return Status();
}

Status Judge::Report(Finding::Kind kind, std::string expected, std::string reason, const Suspect& suspect) {
  Finding finding;
  finding.kind = kind;
  finding.source = suspect.unit;
  finding.cell = suspect.cell;
  finding.expected = std::move(expected);
  finding.found = suspect.value_text;
  finding.timestamp = suspect.timestamp;
  finding.seen = suspect.seen;
  finding.confirmed = clock_->WallMillis();
  finding.reason = std::move(reason);
  Count(kind, counts_);
  Close(suspect);
  return sink_->Add(finding);
}

void Judge::LeaveOut(const Suspect& suspect) {
  ++counts_->younger;
  Close(suspect);
}

void Judge::Again(Suspect* suspect) {
  suspect->due = milliseconds(0);
  fresh_.push_back(std::move(*suspect));
}

void Judge::Close(const Suspect& suspect) {
  held_bytes_ -= suspect.HeldBytes();
  --counts_->open;
}

}  // namespace fensi::sweep
