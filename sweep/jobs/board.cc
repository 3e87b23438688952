#include "sweep/jobs/board.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/text.h"

namespace fensi::sweep {
namespace {

using meta::VersionedMetaRow;

constexpr char kSpec[] = "spec";
constexpr int64_t kOnce = 1;  // version of what is written once

std::string Of(const char* kind, const std::string& job) { return std::string(kind) + "/" + job; }

/// Sorted by their numbers as text.
std::string NumberedColumn(const char* kind, const std::string& job, size_t range) {
  const std::string number = std::to_string(range);
  return Of(kind, job) + "/" + std::string(5 - std::min<size_t>(5, number.size()), '0') + number;
}

Status BrokenCell(const VersionedMetaRow& row, const Cell& cell) {
  return meta::UnknownValue(row.table(), row.row(), cell.qualifier, cell.value);
}

/// The job that the row has, with its pace and its end.
Result<std::optional<Job>> ReadJob(const VersionedMetaRow& row, const VersionedMetaRow::Cells& cells) {
  const Cell* spec = meta::FindCell(cells, kSpec);
  if (spec == nullptr) return std::optional<Job>();
  std::optional<Job> job = JobOf(spec->value);
  if (!job) return BrokenCell(row, *spec);
  if (const Cell* cell = meta::FindCell(cells, Of("pace", job->name)); cell != nullptr) {
    const std::optional<JobPace> pace = PaceOf(cell->value);
    if (!pace) return BrokenCell(row, *cell);
    job->pace = *pace;
  }
  if (const Cell* cell = meta::FindCell(cells, Of("ended", job->name)); cell != nullptr) {
    const std::optional<int64_t> ended = ParseWhole<int64_t>(cell->value);
    if (!ended) return BrokenCell(row, *cell);
    job->ended_at = *ended;
  }
  if (const Cell* cell = meta::FindCell(cells, Of("losses", job->name)); cell != nullptr) job->losses = cell->value;
  return job;
}

/// M17: the version of a range's position cell. It rises with the rows that were passed, so a late worker loses.
int64_t VersionOf(const Place& place) { return 2 * (place.rows + 1) + (place.done ? 1 : 0); }

/// M17: a worker of this range wrote the position. A cell of any other version would hide every worker's position.
bool IsOwnPlace(const Place& place, const RowRange& range, int64_t version) {
  return version == VersionOf(place) && place.next >= range.start && (range.stop.empty() || place.next <= range.stop);
}

/// Range number n, or nothing when there are no more.
Result<std::optional<RangeState>> ReadRange(const VersionedMetaRow& row, const VersionedMetaRow::Cells& cells,
                                            const std::string& job, size_t n) {
  const Cell* cell = meta::FindCell(cells, NumberedColumn("range", job, n));
  if (cell == nullptr) return std::optional<RangeState>();
  const std::optional<RowRange> range = RangeOf(cell->value);
  if (!range) return BrokenCell(row, *cell);
  RangeState state{.range = *range, .place = {.next = range->start}, .base = cell->timestamp - kOnce};
  if (const Cell* at = meta::FindCell(cells, NumberedColumn("at", job, n)); at != nullptr) {
    const std::optional<Place> place = PlaceOf(at->value);
    if (!place || !IsOwnPlace(*place, *range, at->timestamp - state.base)) return BrokenCell(row, *at);
    state.place = *place;
  }
  if (const Cell* by = meta::FindCell(cells, NumberedColumn("by", job, n)); by != nullptr) state.by = *by;
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

Place JobSnapshot::sum() const {
  Place sum{.done = ranges_done() == ranges.size()};
  for (const RangeState& range : ranges) {
    sum.rows += range.place.rows;
    sum.bytes += range.place.bytes;
    sum.counts.resize(std::max(sum.counts.size(), range.place.counts.size()));
    for (size_t i = 0; i < range.place.counts.size(); ++i) sum.counts[i] += range.place.counts[i];
  }
  return sum;
}

size_t JobSnapshot::ranges_done() const {
  return static_cast<size_t>(
      std::count_if(ranges.begin(), ranges.end(), [](const RangeState& range) { return range.place.done; }));
}

bool HeartbeatMonitor::IsSilent(size_t range, const std::string& by, std::chrono::milliseconds now) {
  auto& [known, since] = seen_[range];
  if (known != by) {
    known = by;
    since = now;
  }
  return now - since >= silence_;
}

size_t HeartbeatMonitor::Active(const JobSnapshot& view, std::chrono::milliseconds now) {
  std::set<std::string> workers;
  for (size_t i = 0; i < view.ranges.size(); ++i) {
    const RangeState& range = view.ranges[i];
    if (range.place.done || !range.by || IsSilent(i, range.by->value, now)) continue;
    workers.insert(WorkerOf(range.by->value));
  }
  return workers.size();
}

Result<std::optional<Job>> Board::Find(const VersionedMetaRow& row) {
  FENSI_ASSIGN_OR_RETURN(const VersionedMetaRow::Cells cells, row.ReadAll());
  return ReadJob(row, cells);
}

Result<Job> Board::Make(const VersionedMetaRow& row, const std::optional<Job>& known, const Job& job,
                        const std::vector<RowRange>& ranges) {
  FENSI_ASSIGN_OR_RETURN(VersionedMetaRow::Cells before, row.ReadAll());
  const Cell* spec = meta::FindCell(before, kSpec);
  const bool as_known = spec == nullptr ? !known : known && spec->value == TextOf(*known);
  if (as_known) {
    std::vector<Cell> others = {VersionedMetaRow::CellOf(Of("pace", job.name), kOnce, TextOf(job.pace))};
    if (!job.losses.empty()) others.push_back(VersionedMetaRow::CellOf(Of("losses", job.name), kOnce, job.losses));
    others.push_back(VersionedMetaRow::CellOf(Of("ranges", job.name), kOnce, std::to_string(ranges.size())));
    for (size_t i = 0; i < ranges.size(); ++i) {
      others.push_back(VersionedMetaRow::CellOf(NumberedColumn("range", job.name, i), kOnce, TextOf(ranges[i])));
    }
    const auto replaced = spec == nullptr ? std::nullopt : std::optional(*spec);
    FENSI_RETURN_IF_ERROR(row.Replace(kSpec, replaced, TextOf(job), std::move(others)).status());
    before.erase(kSpec);
    FENSI_RETURN_IF_ERROR(row.Forget(before));
  }
  FENSI_ASSIGN_OR_RETURN(std::optional<Job> now, Find(row));
  if (!now.has_value())
    return Status(StatusCode::kConfiguration, "another process is deleting row " + Escape(row.row()) + " of table " +
                                                  row.table() +
                                                  ". When that process has ended, enter the same command again");
  return std::move(*now);
}

Result<JobSnapshot> Board::Look() const {
  FENSI_ASSIGN_OR_RETURN(const VersionedMetaRow::Cells cells, row_.ReadAll());
  FENSI_ASSIGN_OR_RETURN(std::optional<Job> job, ReadJob(row_, cells));
  if (!job.has_value() || job->name != job_) return Gone();
  JobSnapshot view{.job = std::move(*job), .ranges = {}};
  for (;;) {
    FENSI_ASSIGN_OR_RETURN(std::optional<RangeState> range, ReadRange(row_, cells, job_, view.ranges.size()));
    if (!range.has_value()) break;
    view.ranges.push_back(std::move(*range));
  }
  if (view.ranges.empty()) return Gone();
  FENSI_RETURN_IF_ERROR(CheckCount(cells, view.ranges.size()));
  return view;
}

Status Board::CheckCount(const VersionedMetaRow::Cells& cells, size_t ranges) const {
  const Cell* cell = meta::FindCell(cells, Of("ranges", job_));
  if (cell == nullptr) return Status();
  const std::optional<int64_t> made = ParseWhole<int64_t>(cell->value);
  if (!made) return BrokenCell(row_, *cell);
  if (static_cast<size_t>(*made) == ranges) return Status();
  return Status(StatusCode::kConfiguration,
                "job " + job_ + " in table " + row_.table() + ", row " + Escape(row_.row()) + " was made with " +
                    std::to_string(*made) + " ranges, and range " + std::to_string(ranges) +
                    " (counted from 0) is missing: probably somebody deleted it. If the job has not ended, enter the "
                    "command with --cancel in place of --execute. Then enter the command with --restart");
}

Status Board::Steer(const JobPace& pace) const { return row_.Set(Of("pace", job_), TextOf(pace)); }

Status Board::End(int64_t now) const {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, row_.Read(Of("ended", job_)));
  return known.has_value() ? Status() : row_.Set(Of("ended", job_), std::to_string(now));
}

Result<std::optional<RangeLease>> Board::Take(const JobSnapshot& view, HeartbeatMonitor* watch,
                                              const std::string& worker, uint64_t random,
                                              std::chrono::milliseconds now) const {
  std::vector<size_t> nobodys, silent;
  for (size_t i = 0; i < view.ranges.size(); ++i) {
    const RangeState& range = view.ranges[i];
    if (range.place.done) continue;
    const bool ours = range.by && WorkerOf(range.by->value) == worker;
    if (!range.by || ours) nobodys.push_back(i);
    if (range.by && !ours && watch->IsSilent(i, range.by->value, now)) silent.push_back(i);
  }
  const std::vector<size_t>& free = nobodys.empty() ? silent : nobodys;
  if (free.empty()) return std::optional<RangeLease>();
  const size_t chosen = free[random % free.size()];
  const RangeState& range = view.ranges[chosen];
  FENSI_ASSIGN_OR_RETURN(const int64_t beat, range.by ? row_.NextVersion(*range.by) : Result<int64_t>(0));
  const std::string value = worker + " " + std::to_string(beat);
  const Result<Cell> by = row_.Replace(Column("by", chosen), range.by, value);
  if (by.status().code() == StatusCode::kNotFound) return Gone();
  FENSI_RETURN_IF_ERROR(by.status());
  if (by->value != value) return std::optional<RangeLease>();
  return std::optional(RangeLease{chosen, range.range, range.place, *by, range.base});
}

Result<JobPace> Board::Beat(RangeLease* seat) const {
  const std::string pace_column = Of("pace", job_), by_column = Column("by", seat->range);
  FENSI_ASSIGN_OR_RETURN(const VersionedMetaRow::Cells cells, row_.Read({kSpec, pace_column, by_column}));
  FENSI_ASSIGN_OR_RETURN(const std::optional<Job> job, ReadJob(row_, cells));
  const Cell* by = meta::FindCell(cells, by_column);
  if (!job.has_value() || job->name != job_ || by == nullptr) return Gone();
  const std::string worker = WorkerOf(seat->by.value);
  seat->lost = WorkerOf(by->value) != worker;
  if (seat->lost) return job->pace;
  FENSI_ASSIGN_OR_RETURN(const int64_t version, row_.NextVersion(*by));
  seat->by = VersionedMetaRow::CellOf(by_column, version, worker + " " + std::to_string(version));
  FENSI_RETURN_IF_ERROR(row_.Write({seat->by}));
  return job->pace;
}

Status Board::Advance(const RangeLease& seat) const {
  // M17: a position under a delete marker must not count as stored.
  const Status shown = row_.WriteShown(Column("at", seat.range), seat.base + VersionOf(seat.place), TextOf(seat.place));
  if (shown.code() != StatusCode::kConfiguration) return shown;
  return shown.WithSuffix(". Or end the job with --cancel, and begin another job with --restart");
}

std::string Board::Column(const char* kind, size_t range) const { return NumberedColumn(kind, job_, range); }

Status Board::Gone() const {
  return Status(StatusCode::kConfiguration,
                "job " + job_ + " is gone from table " + row_.table() + ", row " + Escape(row_.row()) +
                    ": another job replaced it, or somebody deleted the row. Enter the same "
                    "command again, with --restart if the job has ended");
}

namespace {

constexpr std::array kWishes = {std::pair("run", Wish::kRun), std::pair("pause", Wish::kPause),
                                std::pair("cancel", Wish::kCancel)};

constexpr int64_t kMostPlaceRows = INT64_MAX / 4;  // a version is made of them

bool Ends(std::istringstream* words) {
  std::string more;
  return !(*words >> more);
}

}  // namespace

std::string KeyWord(const std::string& key) {
  std::string word = "=";
  for (const char c : Escape(key)) word += c == ' ' ? std::string("\\x20") : std::string(1, c);
  return word;
}

std::optional<std::string> KeyOf(const std::string& word) {
  if (!word.starts_with('=')) return std::nullopt;
  const Result<std::string> key = Unescape(std::string_view(word).substr(1));
  return key.ok() ? std::optional(*key) : std::nullopt;
}

std::string TextOf(const Job& job) { return job.name + " " + std::to_string(job.made_at) + " " + job.arguments; }

std::string TextOf(const JobPace& pace) {
  std::string wish;
  for (const auto& [name, each] : kWishes) {
    if (each == pace.wish) wish = name;
  }
  return wish + " " + std::to_string(pace.rows_per_second) + " " + std::to_string(pace.bytes_per_second);
}

std::string TextOf(const RowRange& range) {
  const std::string rows = KeyWord(range.start) + " " + KeyWord(range.stop);
  return range.table.empty() ? rows : rows + " " + KeyWord(range.table);
}

std::string TextOf(const Place& place) {
  std::string text = std::string(place.done ? "done " : "open ") + std::to_string(place.rows) + " " +
                     std::to_string(place.bytes) + " " + KeyWord(place.next);
  for (const int64_t count : place.counts) text += " " + std::to_string(count);
  return text;
}

std::optional<Job> JobOf(const std::string& text) {
  std::istringstream words(text);
  Job job;
  if (!(words >> job.name >> job.made_at) || words.get() != ' ') return std::nullopt;
  std::getline(words, job.arguments);
  return job;
}

std::optional<JobPace> PaceOf(const std::string& text) {
  std::istringstream words(text);
  std::string wish;
  JobPace pace;
  if (!(words >> wish >> pace.rows_per_second >> pace.bytes_per_second) || !Ends(&words)) return std::nullopt;
  for (const auto& [name, each] : kWishes) {
    if (wish != name) continue;
    pace.wish = each;
    return pace.rows_per_second >= 0 && pace.bytes_per_second >= 0 ? std::optional(pace) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<RowRange> RangeOf(const std::string& text) {
  std::istringstream words(text);
  std::string start, stop, table = "=";
  if (!(words >> start >> stop)) return std::nullopt;
  words >> table;
  if (!Ends(&words)) return std::nullopt;
  const std::optional<std::string> first = KeyOf(start), last = KeyOf(stop), name = KeyOf(table);
  return first && last && name ? std::optional(RowRange{*first, *last, *name}) : std::nullopt;
}

std::optional<Place> PlaceOf(const std::string& text) {
  std::istringstream words(text);
  std::string state, next;
  Place place;
  if (!(words >> state >> place.rows >> place.bytes >> next)) return std::nullopt;
  for (std::string word; words >> word;) {
    const std::optional<int64_t> count = ParseWhole<int64_t>(word);
    if (!count || *count < 0) return std::nullopt;
    place.counts.push_back(*count);
  }
  const std::optional<std::string> key = KeyOf(next);
  if (!key || (state != "open" && state != "done") || place.rows < 0 || place.rows > kMostPlaceRows || place.bytes < 0)
    return std::nullopt;
  place.next = *key;
  place.done = state == "done";
  return place;
}

}  // namespace fensi::sweep
