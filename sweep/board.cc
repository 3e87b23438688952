#include "sweep/board.h"

#include <algorithm>
#include <set>

#include "base/bytes.h"
#include "sweep/board_text.h"

namespace fensi::sweep {
namespace {

using meta::SharedRow;

constexpr char kSpec[] = "spec";
constexpr int64_t kOnce = 1;  // version of what is written once

std::string Of(const char* kind, const std::string& job) { return std::string(kind) + "/" + job; }

/// Sorted by their numbers as text.
std::string NumberedColumn(const char* kind, const std::string& job, size_t range) {
  const std::string number = std::to_string(range);
  return Of(kind, job) + "/" + std::string(5 - std::min<size_t>(5, number.size()), '0') + number;
}

Status BrokenCell(const SharedRow& row, const Cell& cell) {
  return Status(StatusCode::kInternal,
                "table " + row.table() + ", row " + Escape(row.row()) + ", column i:" + Escape(cell.qualifier) +
                    " holds '" + EscapeSome(cell.value, 100) + "', which this version of fensi does not understand");
}

const Cell* Find(const SharedRow::Cells& cells, const std::string& column) {
  const auto at = cells.find(column);
  return at == cells.end() ? nullptr : &at->second;
}

/// The job that the row has, with its pace and its end.
Result<std::optional<Job>> ReadJob(const SharedRow& row, const SharedRow::Cells& cells) {
  const Cell* spec = Find(cells, kSpec);
  if (spec == nullptr) return std::optional<Job>();
  std::optional<Job> job = JobOf(spec->value);
  if (!job) return BrokenCell(row, *spec);
  if (const Cell* cell = Find(cells, Of("pace", job->name)); cell != nullptr) {
    const std::optional<JobPace> pace = PaceOf(cell->value);
    if (!pace) return BrokenCell(row, *cell);
    job->pace = *pace;
  }
  if (const Cell* cell = Find(cells, Of("ended", job->name)); cell != nullptr) {
    const std::optional<int64_t> ended = WholeNumberOf(cell->value);
    if (!ended) return BrokenCell(row, *cell);
    job->ended_at = *ended;
  }
  if (const Cell* cell = Find(cells, Of("losses", job->name)); cell != nullptr) job->losses = cell->value;
  return job;
}

/// Of a cell that says how far a range is: it rises with the rows that were passed.
int64_t VersionOf(const Place& place) { return 2 * (place.rows + 1) + (place.done ? 1 : 0); }

/// Nobody but a worker of this range wrote it: with another version no worker's could be seen any more.
bool IsOwnPlace(const Place& place, const RowRange& range, int64_t version) {
  return version == VersionOf(place) && place.next >= range.start && (range.stop.empty() || place.next <= range.stop);
}

/// Range number n, or nothing when there are no more.
Result<std::optional<RangeState>> ReadRange(const SharedRow& row, const SharedRow::Cells& cells, const std::string& job,
                                            size_t n) {
  const Cell* cell = Find(cells, NumberedColumn("range", job, n));
  if (cell == nullptr) return std::optional<RangeState>();
  const std::optional<RowRange> range = RangeOf(cell->value);
  if (!range) return BrokenCell(row, *cell);
  RangeState state{.range = *range, .place = {.next = range->start}, .base = cell->timestamp - kOnce};
  if (const Cell* at = Find(cells, NumberedColumn("at", job, n)); at != nullptr) {
    const std::optional<Place> place = PlaceOf(at->value);
    if (!place || !IsOwnPlace(*place, *range, at->timestamp - state.base)) return BrokenCell(row, *at);
    state.place = *place;
  }
  if (const Cell* by = Find(cells, NumberedColumn("by", job, n)); by != nullptr) state.by = *by;
  return std::optional(std::move(state));
}

std::string WorkerOf(const std::string& by) { return by.substr(0, by.find(' ')); }

}  // namespace

std::vector<RowRange> RangesOf(const std::vector<std::string>& region_starts, const RowRange& rows, size_t most) {
  std::vector<std::string> borders;
  for (const std::string& start : region_starts) {
    if (start > rows.start && (rows.stop.empty() || start < rows.stop)) borders.push_back(start);
  }
  const size_t group = borders.size() / most + 1;
  std::vector<RowRange> ranges = {{rows.start, rows.stop}};
  for (size_t i = group - 1; i < borders.size(); i += group) {
    ranges.back().stop = borders[i];
    ranges.push_back({borders[i], rows.stop});
  }
  return ranges;
}

Place BoardView::sum() const {
  Place sum{.done = ranges_done() == ranges.size()};
  for (const RangeState& range : ranges) {
    sum.rows += range.place.rows;
    sum.bytes += range.place.bytes;
    sum.counts.resize(std::max(sum.counts.size(), range.place.counts.size()));
    for (size_t i = 0; i < range.place.counts.size(); ++i) sum.counts[i] += range.place.counts[i];
  }
  return sum;
}

size_t BoardView::ranges_done() const {
  return static_cast<size_t>(
      std::count_if(ranges.begin(), ranges.end(), [](const RangeState& range) { return range.place.done; }));
}

bool BeatWatch::IsSilent(size_t range, const std::string& by, std::chrono::milliseconds now) {
  auto& [known, since] = seen_[range];
  if (known != by) {
    known = by;
    since = now;
  }
  return now - since >= silence_;
}

size_t BeatWatch::Active(const BoardView& view, std::chrono::milliseconds now) {
  std::set<std::string> workers;
  for (size_t i = 0; i < view.ranges.size(); ++i) {
    const RangeState& range = view.ranges[i];
    if (range.place.done || !range.by || IsSilent(i, range.by->value, now)) continue;
    workers.insert(WorkerOf(range.by->value));
  }
  return workers.size();
}

Result<std::optional<Job>> Board::Find(const SharedRow& row) {
  const Result<SharedRow::Cells> cells = row.ReadAll();
  FENSI_RETURN_IF_ERROR(cells.status());
  return ReadJob(row, *cells);
}

Result<Job> Board::Make(const SharedRow& row, const std::optional<Job>& known, const Job& job,
                        const std::vector<RowRange>& ranges) {
  Result<SharedRow::Cells> before = row.ReadAll();
  FENSI_RETURN_IF_ERROR(before.status());
  const Cell* spec = sweep::Find(*before, kSpec);
  const bool as_known = spec == nullptr ? !known : known && spec->value == TextOf(*known);
  if (as_known) {
    std::vector<Cell> others = {SharedRow::CellOf(Of("pace", job.name), kOnce, TextOf(job.pace))};
    if (!job.losses.empty()) others.push_back(SharedRow::CellOf(Of("losses", job.name), kOnce, job.losses));
    others.push_back(SharedRow::CellOf(Of("ranges", job.name), kOnce, std::to_string(ranges.size())));
    for (size_t i = 0; i < ranges.size(); ++i) {
      others.push_back(SharedRow::CellOf(NumberedColumn("range", job.name, i), kOnce, TextOf(ranges[i])));
    }
    const auto replaced = spec == nullptr ? std::nullopt : std::optional(*spec);
    FENSI_RETURN_IF_ERROR(row.Replace(kSpec, replaced, TextOf(job), std::move(others)).status());
    before->erase(kSpec);
    FENSI_RETURN_IF_ERROR(row.Forget(*before));
  }
  Result<std::optional<Job>> now = Find(row);
  FENSI_RETURN_IF_ERROR(now.status());
  if (!now->has_value()) return Status(StatusCode::kConfiguration, "somebody deletes row " + Escape(row.row()));
  return std::move(**now);
}

Result<BoardView> Board::Look() const {
  const Result<SharedRow::Cells> cells = row_.ReadAll();
  FENSI_RETURN_IF_ERROR(cells.status());
  Result<std::optional<Job>> job = ReadJob(row_, *cells);
  FENSI_RETURN_IF_ERROR(job.status());
  if (!job->has_value() || (*job)->name != job_) return Gone();
  BoardView view{.job = std::move(**job), .ranges = {}};
  for (;;) {
    Result<std::optional<RangeState>> range = ReadRange(row_, *cells, job_, view.ranges.size());
    FENSI_RETURN_IF_ERROR(range.status());
    if (!range->has_value()) break;
    view.ranges.push_back(std::move(**range));
  }
  if (view.ranges.empty()) return Gone();
  FENSI_RETURN_IF_ERROR(CheckCount(*cells, view.ranges.size()));
  return view;
}

Status Board::CheckCount(const SharedRow::Cells& cells, size_t ranges) const {
  const Cell* cell = sweep::Find(cells, Of("ranges", job_));
  if (cell == nullptr) return Status();
  const std::optional<int64_t> made = WholeNumberOf(cell->value);
  if (!made) return BrokenCell(row_, *cell);
  if (static_cast<size_t>(*made) == ranges) return Status();
  return Status(StatusCode::kConfiguration,
                "job " + job_ + " in table " + row_.table() + ", row " + Escape(row_.row()) + " was made with " +
                    std::to_string(*made) + " ranges, and number " + std::to_string(ranges) +
                    " is missing, because somebody deleted it. If the job is not over, end it with --cancel. Then run "
                    "the same line with --again");
}

Status Board::Steer(const JobPace& pace) const { return row_.Set(Of("pace", job_), TextOf(pace)); }

Status Board::End(int64_t now) const {
  const Result<std::optional<Cell>> known = row_.Read(Of("ended", job_));
  FENSI_RETURN_IF_ERROR(known.status());
  return known->has_value() ? Status() : row_.Set(Of("ended", job_), std::to_string(now));
}

Result<std::optional<Seat>> Board::Take(const BoardView& view, BeatWatch* watch, const std::string& worker,
                                        uint64_t random, std::chrono::milliseconds now) const {
  std::vector<size_t> nobodys, silent;
  for (size_t i = 0; i < view.ranges.size(); ++i) {
    const RangeState& range = view.ranges[i];
    if (range.place.done) continue;
    const bool ours = range.by && WorkerOf(range.by->value) == worker;
    if (!range.by || ours) nobodys.push_back(i);
    if (range.by && !ours && watch->IsSilent(i, range.by->value, now)) silent.push_back(i);
  }
  const std::vector<size_t>& free = nobodys.empty() ? silent : nobodys;
  if (free.empty()) return std::optional<Seat>();
  const size_t chosen = free[random % free.size()];
  const RangeState& range = view.ranges[chosen];
  const Result<int64_t> beat = range.by ? row_.VersionAbove(*range.by) : Result<int64_t>(0);
  FENSI_RETURN_IF_ERROR(beat.status());
  const std::string value = worker + " " + std::to_string(*beat);
  const Result<Cell> by = row_.Replace(Column("by", chosen), range.by, value);
  if (by.status().code() == StatusCode::kNotFound) return Gone();
  FENSI_RETURN_IF_ERROR(by.status());
  if (by->value != value) return std::optional<Seat>();
  return std::optional(Seat{chosen, range.range, range.place, *by, range.base});
}

Result<JobPace> Board::Beat(Seat* seat) const {
  const std::string pace_column = Of("pace", job_), by_column = Column("by", seat->range);
  const Result<SharedRow::Cells> cells = row_.Read({kSpec, pace_column, by_column});
  FENSI_RETURN_IF_ERROR(cells.status());
  const Result<std::optional<Job>> job = ReadJob(row_, *cells);
  FENSI_RETURN_IF_ERROR(job.status());
  const Cell* by = sweep::Find(*cells, by_column);
  if (!job->has_value() || (*job)->name != job_ || by == nullptr) return Gone();
  const std::string worker = WorkerOf(seat->by.value);
  seat->lost = WorkerOf(by->value) != worker;
  if (seat->lost) return (*job)->pace;
  const Result<int64_t> version = row_.VersionAbove(*by);
  FENSI_RETURN_IF_ERROR(version.status());
  seat->by = SharedRow::CellOf(by_column, *version, worker + " " + std::to_string(*version));
  FENSI_RETURN_IF_ERROR(row_.Write({seat->by}));
  return (*job)->pace;
}

Status Board::Advance(const Seat& seat) const {
  const Status shown = row_.WriteShown(Column("at", seat.range), seat.base + VersionOf(seat.place), TextOf(seat.place));
  if (shown.code() != StatusCode::kConfiguration) return shown;
  return Status(StatusCode::kConfiguration,
                shown.message() + "; or end the job with --cancel, and begin another with --execute --again");
}

std::string Board::Column(const char* kind, size_t range) const { return NumberedColumn(kind, job_, range); }

Status Board::Gone() const {
  return Status(StatusCode::kConfiguration, "job " + job_ + " is not in table " + row_.table() + ", row " +
                                                Escape(row_.row()) +
                                                ", any more: the job was replaced by another one, or somebody deleted "
                                                "its row. Start the command again, with --again if it has ended");
}

}  // namespace fensi::sweep
