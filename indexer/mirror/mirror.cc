#include "indexer/mirror/mirror.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/hbase_limits.h"
#include "indexer/plan/event_check.h"
#include "indexer/reread_schedule.h"

namespace fensi::indexer {
namespace {

constexpr size_t kMostColumns = 1'000;  // of one request: a row may have millions

/// The columns in question of the first rows.
std::vector<store::GetRequest> SourceRequests(const Questions& questions, size_t most_rows, bool read_points) {
  std::vector<store::GetRequest> requests;
  for (const auto& [mother, question] : questions) {
    if (requests.empty() || requests.back().row != mother.row || requests.back().columns.size() == kMostColumns) {
      if (requests.size() == most_rows) break;
      requests.push_back({.row = mother.row, .read_point = read_points});
    }
    requests.back().columns.push_back({mother.family, mother.qualifier});
  }
  return requests;
}

/// The newest that is shown; null: nothing, or what is above all that an index takes.
const Cell* Shown(const store::Row& row, const Mother& mother) {
  const auto is_it = [&](const Cell& cell) {
    return cell.qualifier == mother.qualifier && cell.family == mother.family;
  };
  const auto found = std::find_if(row.cells.begin(), row.cells.end(), is_it);
  return found == row.cells.end() || found->timestamp > kMaxSourceTime ? nullptr : &*found;
}

/// Nothing where the index names its columns itself.
std::unique_ptr<KnownColumns> NewKnownColumns(const MaintainerOptions& context, PhaseClock* phases) {
  if (context.index->state_scope() == mapping::StateScope::kRow) return nullptr;
  return std::make_unique<KnownColumns>(context.index, context.store, phases, context.cache_bytes / 2);
}

Columns NamedColumns(const mapping::Index& index) {
  Columns columns;
  for (const mapping::Watch& watch : index.watches()) {
    if (watch.kind == mapping::Watch::Kind::kColumn) columns.push_back({watch.family, watch.qualifier});
  }
  return columns;
}

}  // namespace

Mirror::Mirror(const MaintainerOptions& context, std::shared_ptr<consumer::Assignment> assignment)
    : IndexMaintainer(context, std::move(assignment)),
      floors_(context.cache_bytes / 2),
      kept_(context.index, context.store, context.clock, *assignment_),
      known_(NewKnownColumns(context, &phases_)),
      named_(NamedColumns(*context.index)),
      index_cells_(context.store),
      pace_(context.read_bytes),
      schedule_(context.clock) {}

void Mirror::Begin(const consumer::Batch& batch) {
  schedule_.Begin(batch, requests_.empty() ? RereadSchedule::Log::kStream : RereadSchedule::Log::kRequests,
                  context_.index->source_table());
  waiting_.clear();
  later_.clear();
  floors_.set_now(context_.clock->WallMillis());
}

std::optional<std::chrono::milliseconds> Mirror::second_look() const {
  if (waiting_.empty()) return std::nullopt;
  return schedule_.due();
}

void Mirror::EndRereads() {
  waiting_ = std::exchange(later_, {});
  schedule_.EndRound();
}

Status Mirror::ApplyPieces(const consumer::Batch& batch) {
  if (!loaded_) FENSI_RETURN_IF_ERROR(kept_.Load(&floors_));
  loaded_ = true;
  ChangeSet changes;
  changes.Expect(batch.records.size());
  std::vector<Letter> letters;
  MirrorPlanner planner(context_.index, &floors_, &changes, &letters);
  for (size_t i = 0; i < batch.records.size(); ++i) {
    FENSI_RETURN_IF_ERROR(Plan(batch, i, &planner, &letters));
    if (changes.bytes() >= context_.planned_bytes) FENSI_RETURN_IF_ERROR(Finish(batch, &planner, &changes, &letters));
  }
  FENSI_RETURN_IF_ERROR(Finish(batch, &planner, &changes, &letters));
  // H8, H9, H11: columns, then floors, before the offset moves; a later owner must know both.
  if (known_ != nullptr) FENSI_RETURN_IF_ERROR(known_->Save());
  FENSI_RETURN_IF_ERROR(kept_.Save(&floors_));
  // H10: at the end of a batch only, so that all questions of one batch see the same floors.
  floors_.Evict();
  return {};
}

Status Mirror::Plan(const consumer::Batch& batch, size_t record, MirrorPlanner* planner, std::vector<Letter>* letters) {
  const consumer::Record& told = batch.records[record];
  if (!Concerns(*context_.index, told)) return {};
  if (const Status usable = CheckRecord(*context_.index, told); !usable.ok()) {
    letters->push_back({record, usable.message(), LetterKind::kUndecodable});
    return {};
  }
  const consumer::Request* request = requests_.empty() ? nullptr : requests_[record];
  const bool recheck = request != nullptr && request->kind == consumer::Request::Kind::kRecheck;
  Columns found;
  if (known_ != nullptr) FENSI_RETURN_IF_ERROR(FindColumns(told.event, recheck ? request : nullptr, &found));
  const Columns& columns = known_ == nullptr ? named_ : found;
  if (recheck) {
    planner->Recheck(*request, columns, record);
  } else if (request != nullptr) {
    planner->Image(told.event, columns, record);
  } else {
    planner->Change(told.event, columns, record);
  }
  return {};
}

void Mirror::NoteColumns(const ChangeEvent& event, const consumer::Request* recheck) {
  const auto note = [&](const std::string& family, const std::string& qualifier) {
    if (context_.index->Watches(family, qualifier)) known_->Note(event.row, family, qualifier);
  };
  for (const Cell& cell : event.cells) {
    // A deleted column is known, or never existed; if it becomes a question, the answer makes it known.
    if (!MarksFamily(cell) && cell.type != CellType::kDeleteColumn) note(cell.family, cell.qualifier);
  }
  if (recheck == nullptr) return;
  for (const consumer::RequestedColumn& column : recheck->columns) note(column.family, column.qualifier);
}

Status Mirror::FindColumns(const ChangeEvent& event, const consumer::Request* recheck, Columns* columns) {
  NoteColumns(event, recheck);
  std::set<std::string> families;
  for (const Cell& cell : event.cells) {
    if (MarksFamily(cell) && context_.index->WatchesFamily(cell.family)) families.insert(cell.family);
  }
  if (recheck != nullptr && recheck->columns.empty()) {
    FENSI_RETURN_IF_ERROR(NoteColumnsOfSource(event.row));
    for (const mapping::Watch& watch : context_.index->watches()) families.insert(watch.family);
  } else if (recheck != nullptr) {
    *columns = recheck->columns;
    std::erase_if(*columns, [this](const consumer::RequestedColumn& column) {
      return !context_.index->Watches(column.family, column.qualifier);
    });
  }
  for (const std::string& family : families) FENSI_RETURN_IF_ERROR(AddKnown(event.row, family, columns));
  return {};
}

Status Mirror::AddKnown(const std::string& row, const std::string& family, Columns* columns) {
  const InPhase phase(&phases_, Phase::kReadState);
  std::vector<std::string> qualifiers;
  FENSI_RETURN_IF_ERROR(known_->Find(row, family, &qualifiers));
  ++context_.counters->state_reads;
  // H8: after a family delete nothing in HBase says which columns the row had.
  for (std::string& qualifier : qualifiers) columns->push_back({family, std::move(qualifier)});
  return {};
}

Status Mirror::NoteColumnsOfSource(const std::string& row) {
  const InPhase phase(&phases_, Phase::kReadSource);
  store::GetRequest request{.row = row};
  for (const mapping::Watch& watch : context_.index->watches()) {
    const store::GetRequest::Column family{watch.family, std::nullopt};
    const auto& asked = request.columns;
    if (std::find(asked.begin(), asked.end(), family) == asked.end()) request.columns.push_back(family);
  }
  FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> rows,
                         context_.store->Get(context_.index->source_table(), {&request, 1}));
  ++context_.counters->source_reads;
  for (const Cell& cell : rows.front().cells) {
    if (context_.index->Watches(cell.family, cell.qualifier)) known_->Note(row, cell.family, cell.qualifier);
  }
  return {};
}

Status Mirror::Finish(const consumer::Batch& batch, MirrorPlanner* planner, ChangeSet* changes,
                      std::vector<Letter>* letters) {
  while (!planner->questions()->empty()) {
    FENSI_RETURN_IF_ERROR(AnswerSome(batch, Look::kFirst, planner->questions(), planner));
    if (changes->bytes() >= context_.planned_bytes) FENSI_RETURN_IF_ERROR(Write(batch, changes, letters));
  }
  return Write(batch, changes, letters);
}

Status Mirror::Write(const consumer::Batch& batch, ChangeSet* changes, std::vector<Letter>* letters) {
  FENSI_RETURN_IF_ERROR(WriteIndex(batch, changes, letters));
  for (const Letter& letter : *letters) {
    // H7: what a refused put was to replace is removed up to the put's time, so the floor rises to that time.
    if (letter.kind == LetterKind::kRejected) RaiseOverRefused(batch.records[letter.record].event);
  }
  return SendDeadLetters(batch, letters);
}

/// H7: what the store refuses has left a marker in its place.
void Mirror::RaiseOverRefused(const ChangeEvent& event) {
  for (const Cell& cell : event.cells) {
    if (cell.type != CellType::kPut || !context_.index->Watches(cell.family, cell.qualifier)) continue;
    floors_.Raise(Floors::NameOf(event.row, cell.family, cell.qualifier), std::min(cell.timestamp, kAboveSourceTimes));
  }
}

Status Mirror::AnswerSome(const consumer::Batch& batch, Look look, Questions* questions, MirrorPlanner* planner) {
  const InPhase phase(&phases_, Phase::kReadSource);
  const std::vector<store::GetRequest> requests = SourceRequests(*questions, pace_.rows(), schedule_.asks_for_points());
  Result<std::vector<store::Row>> rows =
      context_.store->GetSome(context_.index->source_table(), requests, context_.read_bytes);
  FENSI_RETURN_IF_ERROR(rows.status());
  FENSI_RETURN_IF_ERROR(AwaitShown(batch, requests, *questions, &*rows));
  context_.counters->source_reads += static_cast<int64_t>(rows->size());
  size_t bytes = 0;
  for (size_t i = 0; i < rows->size(); ++i) {
    bytes += store::HeldBytes((*rows)[i]);
    for (size_t column = 0; column < requests[i].columns.size(); ++column) {
      auto asked = questions->extract(questions->begin());
      const ReadPointPtr& point = (*rows)[i].read_point;
      const bool again = look == Look::kFirst && WaitsForSecond(batch, asked.key(), asked.mapped(), point);
      if (look == Look::kSecond && schedule_.NeedsNextRound(point, batch.records[asked.mapped().record])) {
        later_.insert(std::move(asked));
        continue;
      }
      FENSI_RETURN_IF_ERROR(Answer((*rows)[i], look, again, asked.key(), &asked.mapped(), planner));
      // H5: the first read may have come before HBase made the change visible.
      if (again) waiting_.insert(std::move(asked));
    }
  }
  pace_.NoteRows(rows->size(), bytes);
  return {};
}

/// The last look writes at the question's second version: an attempt that died may have removed at the first one what
/// the source did not show yet (H5).
Status Mirror::Answer(const store::Row& row, Look look, bool again, const Mother& mother, Question* question,
                      MirrorPlanner* planner) {
  if (known_ != nullptr) known_->Note(mother.row, mother.family, mother.qualifier);
  if (question->recheck && look == Look::kFirst) FENSI_RETURN_IF_ERROR(RaiseRechecked(planner, mother, question));
  // H4, H5: the last read writes at X + 1.
  const int64_t at = question->at + (again ? 0 : 1);
  const Cell* shown = Shown(row, mother);
  if (shown == nullptr) {
    planner->Answer(mother, nullptr, at, question);
    return {};
  }
  const mapping::VisibleCell cell{shown->family, shown->qualifier, shown->timestamp, shown->value};
  planner->Answer(mother, &cell, at, question);
  return {};
}

/// A later piece of a batch asks the same question again: one delayed re-read serves both.
bool Mirror::WaitsForSecond(const consumer::Batch& batch, const Mother& mother, const Question& question,
                            const ReadPointPtr& point) {
  const bool waits = waiting_.erase(mother) > 0;
  return waits || NeedsSecondLook(batch, question, point);
}

Status Mirror::AwaitShown(const consumer::Batch& batch, const std::vector<store::GetRequest>& requests,
                          const Questions& questions, std::vector<store::Row>* rows) {
  const auto late = [&] {
    std::vector<size_t> places;
    auto question = questions.begin();
    for (size_t i = 0; i < rows->size(); ++i) {
      bool is_late = false;
      for (size_t column = 0; column < requests[i].columns.size(); ++column, ++question) {
        // The last record that asked: what came before it is below its region's number, too.
        const consumer::Record& record = batch.records[question->second.record];
        is_late |= schedule_.Judge((*rows)[i].read_point, record) == RereadSchedule::Shown::kNotYet;
      }
      if (is_late) places.push_back(i);
    }
    return places;
  };
  return schedule_.AwaitShown(late, [&](const std::vector<size_t>& places) -> Status {
    std::vector<store::GetRequest> some;
    for (const size_t place : places) some.push_back(requests[place]);
    FENSI_ASSIGN_OR_RETURN(std::vector<store::Row> again,
                           context_.store->GetSome(context_.index->source_table(), some, context_.read_bytes));
    for (size_t i = 0; i < again.size(); ++i) (*rows)[places[i]] = std::move(again[i]);
    return {};
  });
}

Status Mirror::RaiseRechecked(MirrorPlanner* planner, const Mother& mother, Question* question) {
  mapping::EntryList places;
  planner->Places(mother, &places);
  std::vector<int64_t> newest;
  FENSI_RETURN_IF_ERROR(index_cells_.ReadNewest(places, &newest));
  for (const int64_t there : newest) planner->Raise(mother, there, question);
  return {};
}

bool Mirror::NeedsSecondLook(const consumer::Batch& batch, const Question& question, const ReadPointPtr& point) const {
  if (schedule_.log() == RereadSchedule::Log::kRequests) return schedule_.stream_is_young();
  const auto is_open = [&](size_t record) {
    return schedule_.Judge(point, batch.records[record]) != RereadSchedule::Shown::kAll;
  };
  return is_open(question.first) || is_open(question.record);
}

Status Mirror::LookAgainAtSome(const consumer::Batch& batch) {
  ChangeSet changes;
  std::vector<Letter> letters;
  MirrorPlanner planner(context_.index, &floors_, &changes, &letters);
  FENSI_RETURN_IF_ERROR(AnswerSome(batch, Look::kSecond, &waiting_, &planner));
  return Write(batch, &changes, &letters);
}

}  // namespace fensi::indexer
