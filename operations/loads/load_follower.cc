#include "operations/loads/load_follower.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/random_name.h"
#include "base/text.h"
#include "indexer/partition_progress.h"
#include "meta/bulk_loads.h"
#include "meta/index_record.h"

namespace fensi::operations {
namespace {

using meta::BulkLoads;
using meta::LoadedRegion;
using std::chrono::milliseconds;
using sweep::Board;
using sweep::Job;
using sweep::RowRange;

constexpr char kWaitsForChanges[] = "waits until the changes from before the load are applied";
constexpr milliseconds kAskAgain{200}, kWatchEvery{2'000};

bool IsOfIndex(const Job& job, const std::string& incarnation) {
  return job.arguments.starts_with("index " + incarnation + ",");
}

/// `a` ends before `b` does. An empty end is the end of the table.
bool EndsBefore(const std::string& a, const std::string& b) { return !a.empty() && (b.empty() || a < b); }

}  // namespace

std::vector<RowRange> RowsOfLoads(const std::vector<LoadedRegion>& loads,
                                  const std::vector<store::RegionBounds>& regions) {
  std::map<std::string, std::string> ends;  // by the encoded name
  for (const store::RegionBounds& region : regions) {
    if (!region.name.empty()) ends[region.name] = region.stop;
  }
  std::vector<RowRange> rows;
  for (const LoadedRegion& load : loads) {
    const auto found = ends.find(load.region);
    // M27: a superset is right, and the region that begins there now may be a part of the loaded one.
    rows.push_back({load.row, found == ends.end() ? "" : found->second});
  }
  std::sort(rows.begin(), rows.end(), [](const RowRange& a, const RowRange& b) { return a.start < b.start; });
  std::vector<RowRange> joined;
  for (const RowRange& range : rows) {
    const bool apart = joined.empty() || EndsBefore(joined.back().stop, range.start);
    if (apart) joined.push_back(range);
    if (!apart && EndsBefore(joined.back().stop, range.stop)) joined.back().stop = range.stop;
  }
  return joined;
}

/// One turn.
struct LoadFollower::Work {
  BulkLoads known;
  std::vector<LoadedRegion> loads;  // the oldest first
  std::unique_ptr<Owners> owners;
  sweep::BackfillFlow flow = {};
  sweep::HeartbeatMonitor beats{};
  milliseconds watched{0};
};

LoadFollower::LoadFollower(Parts parts)
    : parts_(std::move(parts)),
      board_row_(parts_.store, parts_.meta_table, meta::JobRow(parts_.index->name(), "load"), parts_.clock) {}

Status LoadFollower::Turn() {
  const Result<indexer::PartitionProgress> begun = indexer::ReadPartitionProgress(*parts_.index, parts_.store);
  const bool unknown = begun.status().code() == StatusCode::kNotFound || (begun.ok() && begun->incarnation.empty());
  if (unknown) return {};  // nobody has begun the index
  FENSI_RETURN_IF_ERROR(begun.status());
  Work work{.known = BulkLoads(board_row_.Beside(meta::LoadsRow(parts_.index->name())), begun->incarnation)};
  FENSI_ASSIGN_OR_RETURN(work.loads, work.known.Waiting());
  progress_ = {.waiting = static_cast<int64_t>(work.loads.size())};
  if (!work.loads.empty()) progress_.since = work.loads.front().met;
  Tell("");
  if (work.loads.empty()) return {};
  FENSI_ASSIGN_OR_RETURN(work.owners, parts_.find_owners());
  if (work.owners->incarnation() != begun->incarnation) {
    return Status(StatusCode::kUnavailable, "index " + parts_.index->name() + " was created again at this moment");
  }
  FENSI_ASSIGN_OR_RETURN(const Job job, JoinJob(&work));
  const Status followed = Follow(&work, job);
  // Requests are lost, or the board is gone: the loads still wait, and the next turn makes another job.
  if (followed.code() == StatusCode::kConfiguration) (void)Board(board_row_, job.name).End(parts_.clock->WallMillis());
  return followed;
}

Result<Job> LoadFollower::JoinJob(Work* work) {
  for (int tries = 0; tries < meta::VersionedMetaRow::kMostTries; ++tries) {
    FENSI_ASSIGN_OR_RETURN(const std::optional<Job> known, Board::Find(board_row_));
    const bool runs = known && known->ended_at == 0 && IsOfIndex(*known, work->owners->incarnation());
    if (runs) {
      work->owners->NoteJoined();
      work->owners->NoteLosses(known->losses);
      return *known;
    }
    FENSI_ASSIGN_OR_RETURN(const Job made, MakeJob(known, work));
    if (!made.name.empty()) return made;
  }
  return board_row_.TooManyTries("spec");
}

/// Without a name: another process was faster.
Result<Job> LoadFollower::MakeJob(const std::optional<Job>& known, Work* work) {
  std::vector<LoadedRegion> taken = work->loads;
  if (taken.size() > kMostLoads) taken.resize(kMostLoads);
  FENSI_ASSIGN_OR_RETURN(const std::vector<RowRange> ranges, RangesOf(taken));
  const std::string& incarnation = work->owners->incarnation();
  const Job mine{.name = RandomName(),
                 .made_at = parts_.clock->WallMillis(),
                 .arguments = "index " + incarnation + ", " + Counted(static_cast<int64_t>(taken.size()), "bulk load"),
                 .pace = {},
                 .losses = work->owners->Losses()};
  // Before the job is there: a process that finishes the job must know what it was for.
  FENSI_RETURN_IF_ERROR(work->known.Take(mine.name, taken));
  FENSI_ASSIGN_OR_RETURN(const Job made, Board::Make(board_row_, known, mine, ranges));
  FENSI_RETURN_IF_ERROR(work->known.ForgetJobsBut(made.name));
  if (made.name != mine.name) return Job();
  parts_.listener->Begins(static_cast<int64_t>(taken.size()), ranges.size());
  return made;
}

Result<std::vector<RowRange>> LoadFollower::RangesOf(const std::vector<LoadedRegion>& loads) const {
  FENSI_ASSIGN_OR_RETURN(const std::vector<store::RegionBounds> regions,
                         parts_.store->Regions(parts_.index->source_table()));
  std::vector<std::string> starts;
  for (const store::RegionBounds& region : regions) starts.push_back(region.start);
  std::sort(starts.begin(), starts.end());
  std::vector<RowRange> ranges;
  for (const RowRange& rows : RowsOfLoads(loads, regions)) {
    for (RowRange& range : sweep::RangesOf(starts, rows, kMostLoads)) ranges.push_back(std::move(range));
  }
  return ranges;
}

Status LoadFollower::Follow(Work* work, const Job& job) {
  const Board board(board_row_, job.name);
  FENSI_RETURN_IF_ERROR(AwaitStream(*work));
  FENSI_RETURN_IF_ERROR(Scan(work, board));
  FENSI_RETURN_IF_ERROR(AwaitOwners(*work));
  return Finish(*work, board);
}

Status LoadFollower::AwaitStream(const Work& work) {
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<AppliedStream> stream, parts_.find_stream());
  std::optional<Owners::Offsets> ends;
  // M27: changes from before the load come first, or a delete that a compaction dropped would hide a loaded cell.
  FENSI_RETURN_IF_ERROR(Until(kWaitsForChanges, [&]() -> Result<int64_t> {
    if (!ends) {
      FENSI_ASSIGN_OR_RETURN(ends, stream->Ends());
    }
    return stream->Waiting(*ends);
  }));
  return AwaitWatermark(work);
}

/// A region that has moved may have changes in the log of its former server, which the stream does not have yet.
Status LoadFollower::AwaitWatermark(const Work& work) {
  int64_t newest = 0;
  for (const LoadedRegion& load : work.loads) newest = std::max(newest, load.written);
  const meta::IndexRecord record(board_row_.Beside(meta::IndexRow(parts_.index->name())));
  std::optional<int64_t> reached;
  milliseconds risen = parts_.clock->MonotonicNow();
  return Until(kWaitsForChanges, [&]() -> Result<int64_t> {
    FENSI_ASSIGN_OR_RETURN(const std::optional<meta::IndexState> state, record.Read());
    const std::optional<int64_t> now = state.has_value() ? state->reached : std::nullopt;
    if (!now) return 0;  // HBase sends no markers
    if (now != reached) risen = parts_.clock->MonotonicNow();
    reached = now;
    const bool still = parts_.clock->MonotonicNow() - risen >= kStill;
    return still || *now > newest + parts_.clock_skew.count() ? 0 : 1;
  });
}

Status LoadFollower::Scan(Work* work, const Board& board) {
  FENSI_RETURN_IF_ERROR(Watch(work, board));
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<sweep::RequestSink> sink, work->owners->Sink(parts_.go_on));
  sweep::BackfillDependencies scan{.index = parts_.index,
                                   .store = parts_.store,
                                   .board = &board,
                                   .sink = sink.get(),
                                   .clock = parts_.clock,
                                   .flow = &work->flow,
                                   .worker = RandomName(),
                                   .images = {.incarnation = work->owners->incarnation(), .job = board.job()},
                                   .go_on = [&] { return Watch(work, board); }};
  work->owners->Bound(&scan.images);
  return sweep::BackfillWorker(std::move(scan)).Run();
}

Status LoadFollower::Watch(Work* work, const Board& board) {
  FENSI_RETURN_IF_ERROR(parts_.go_on());
  const milliseconds now = parts_.clock->MonotonicNow();
  if (now - work->watched < kWatchEvery) return {};
  work->watched = now;
  const Result<sweep::JobSnapshot> view = board.Look();
  if (view.status().code() == StatusCode::kConfiguration) return view.status();
  const Result<Owners::Offsets> ends = work->owners->Ends();
  const Result<int64_t> waiting = ends.ok() ? work->owners->Waiting(*ends) : Result<int64_t>(ends.status());
  if (!waiting.ok() && waiting.status().code() != StatusCode::kUnavailable) return waiting.status();
  if (!view.ok() || !waiting.ok()) return {};  // asked again soon
  work->flow.held = *waiting > kAheadRows;
  work->flow.sharers = static_cast<int64_t>(work->beats.Active(*view, now));
  progress_.rows = view->sum().rows;
  Tell(work->flow.held ? "waits until the images that are sent are applied" : "");
  return {};
}

Status LoadFollower::AwaitOwners(const Work& work) {
  std::optional<Owners::Offsets> ends;
  return Until("waits until the images that are sent are applied", [&]() -> Result<int64_t> {
    if (!ends) {
      FENSI_ASSIGN_OR_RETURN(ends, work.owners->Ends());
    }
    return work.owners->Waiting(*ends);
  });
}

Status LoadFollower::Finish(const Work& work, const Board& board) {
  FENSI_ASSIGN_OR_RETURN(const sweep::JobSnapshot view, board.Look());
  if (view.job.ended_at != 0) return {};  // by another process, which has forgotten the loads or begins anew
  // M27: only now, when every image is applied.
  FENSI_RETURN_IF_ERROR(work.known.Finish(board.job()));
  FENSI_RETURN_IF_ERROR(board.End(parts_.clock->WallMillis()));
  FENSI_ASSIGN_OR_RETURN(const std::vector<LoadedRegion> left, work.known.Waiting());
  parts_.listener->Ends(view.sum().rows);
  progress_ = {.waiting = static_cast<int64_t>(left.size())};
  if (!left.empty()) progress_.since = left.front().met;
  Tell("");
  return {};
}

Status LoadFollower::Until(const std::string& what, const std::function<Result<int64_t>()>& waiting) {
  for (;;) {
    FENSI_RETURN_IF_ERROR(parts_.go_on());
    const Result<int64_t> left = waiting();
    if (left.ok() && *left == 0) break;
    if (!left.ok() && left.status().code() != StatusCode::kUnavailable) return left.status();
    Tell(left.ok() ? what : left.status().message());
    parts_.clock->Sleep(kAskAgain);
  }
  Tell("");
  return {};
}

void LoadFollower::Tell(std::string waits_for) {
  progress_.waits_for = std::move(waits_for);
  parts_.listener->Progress(progress_);
}

}  // namespace fensi::operations
