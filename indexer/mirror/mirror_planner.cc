#include "indexer/mirror/mirror_planner.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "indexer/plan/event_check.h"
#include "indexer/remedies.h"

namespace fensi::indexer {
namespace {

constexpr int64_t kHighest = std::numeric_limits<int64_t>::max() - 1;  // HBase takes the last of all times for "now"

mapping::VisibleCell NameAlone(std::string_view family, std::string_view qualifier) {
  return {.family = family, .qualifier = qualifier};
}

bool Has(const mapping::EntryList& entries, const mapping::Entry& place) {
  for (size_t i = 0; i < entries.size(); ++i) {
    if (mapping::SameCell(entries[i], place)) return true;
  }
  return false;
}

/// H13: an entry expires with its source cell, however much higher its version is. MIN_VERSIONS keeps both, so the
/// entry gets no TTL of its own: HBase drops an expired cell by such a TTL whatever MIN_VERSIONS is.
int64_t EndOf(const mapping::Index& index, const mapping::Entry& entry, int64_t mother, int64_t version) {
  for (const mapping::FamilySpec& family : index.create().families) {
    if (version == mother || family.name != entry.family) continue;
    const int64_t ttl = family.TtlMillis();
    if (ttl == 0) break;
    int64_t end = 0;
    if (!__builtin_add_overflow(mother, ttl, &end)) return end;
  }
  return INT64_MAX;
}

}  // namespace

MirrorPlanner::MirrorPlanner(const mapping::Index* index, Floors* floors, ChangeSet* changes,
                             std::vector<Letter>* letters)
    : index_(index),
      by_value_(index->mirrors_values()),
      each_(index->state_scope() == mapping::StateScope::kColumn),
      floors_(floors),
      changes_(changes),
      letters_(letters),
      suspects_(index) {}

void MirrorPlanner::Change(const ChangeEvent& event, const Columns& columns, size_t record) {
  const uint64_t region = Floors::NameOf(event.region);
  // H3: whether the events of this region arrive in the order of their sequence ids.
  const Order order = floors_->InOrder(region, event.sequence_id) ? Order::kKnown : Order::kUnknown;
  for (const Cell& cell : event.cells) Step(event.row, cell, columns, order, record);
  floors_->Tell(region, event.sequence_id);
}

/// An old marker may arrive after a put that it does not hide any more.
void MirrorPlanner::Image(const ChangeEvent& event, const Columns& columns, size_t record) {
  for (const Cell& cell : event.cells) Step(event.row, cell, columns, Order::kUnknown, record);
}

void MirrorPlanner::Step(std::string_view row, const Cell& cell, const Columns& columns, Order order, size_t record) {
  if (!Touches(*index_, cell)) return;
  if (IsTooNew(cell)) return Step(row, Lowered(cell, record, letters_), columns, order, record);
  if (MarksFamily(cell)) return StepOfFamily(row, cell, columns, order, record);
  StepOf(row, cell.family, cell.qualifier, cell, order, record);
}

void MirrorPlanner::StepOfFamily(std::string_view row, const Cell& marker, const Columns& columns, Order order,
                                 size_t record) {
  for (const consumer::RequestedColumn& column : columns) {
    if (column.family == marker.family) StepOf(row, column.family, column.qualifier, marker, order, record);
  }
  if (each_ && index_->WatchesFamily(marker.family)) {
    // H6: columns of the family that arrive later are below the marker, too.
    floors_->Raise(Floors::NameOfFamily(row, marker.family), marker.timestamp);
  }
}

int64_t MirrorPlanner::FloorOf(std::string_view row, std::string_view family, uint64_t name) const {
  const int64_t floor = floors_->Of(name);
  // H6: the marker of a family counts for columns that were unknown then.
  return each_ ? std::max(floor, floors_->Of(Floors::NameOfFamily(row, family))) : floor;
}

void MirrorPlanner::StepOf(std::string_view row, std::string_view family, std::string_view qualifier, const Cell& cell,
                           Order order, size_t record) {
  const uint64_t name = Floors::NameOf(row, family, qualifier);
  const bool put = cell.type == CellType::kPut;
  // H3: a version delete may uncover an older put, so only the source knows.
  const bool removes = cell.type == CellType::kDeleteColumn || cell.type == CellType::kDeleteFamily;
  // H1: a time equal to the floor is not above it.
  const bool above = floors_->AllBelow(cell.timestamp) || cell.timestamp > FloorOf(row, family, name);
  if (above && put) return Put(row, cell, name, record);
  // H3: ask the source. H1: every other delete removes up to its time and raises the floor to it.
  if (!above || !removes || order == Order::kUnknown) return Ask(row, family, qualifier, cell.timestamp, name, record);
  const mapping::VisibleCell mother = NameAlone(family, qualifier);
  entries_.Clear();
  RemoveWhereNoEntry({row, {&mother, 1}}, cell.timestamp, record);
  floors_->Raise(name, cell.timestamp);
}

void MirrorPlanner::Put(std::string_view row, const Cell& cell, uint64_t name, size_t record) {
  const mapping::VisibleCell mother{cell.family, cell.qualifier, cell.timestamp, cell.value};
  const mapping::RowView view{row, {&mother, 1}};
  entries_.Clear();
  index_->Derive(view, &entries_, &problems_);
  const int64_t end = ExpiresByItself(cell);
  for (size_t i = 0; i < entries_.size(); ++i) {
    mapping::Entry entry = entries_[i];
    // H7: the entry ends with its put.
    entry.expires_at = end;
    PutEntry(entry, cell.timestamp, record, cell.timestamp);
  }
  const bool everywhere = entries_.size() == index_->CountIndexCells(cell.family, cell.qualifier);
  // H7: the put replaces the old value, so its old entry is removed.
  if (!everywhere) RemoveWhereNoEntry(view, cell.timestamp, record);
  // H2: of two puts of one time only the source says which stays. H7: the source shows what a put with a TTL of its own
  // hid.
  if (by_value_ || !everywhere || end != INT64_MAX) floors_->Raise(name, cell.timestamp);
  TellProblems(record);
}

/// H13, H7: when an entry expires, HBase shows the version below it, which may be an answer that does not end with its
/// source cell.
void MirrorPlanner::PutEntry(const mapping::Entry& entry, int64_t version, size_t record, int64_t replaces) {
  if (entry.expires_at != INT64_MAX) changes_->Remove(entry, version - 1, record);
  changes_->Put(entry, version, record, replaces);
}

void MirrorPlanner::RemoveWhereNoEntry(const mapping::RowView& row, int64_t at, size_t record) {
  places_.Clear();
  index_->DeriveIndexCells(row, &places_);
  for (size_t i = 0; i < places_.size(); ++i) {
    if (!Has(entries_, places_[i])) changes_->Remove(places_[i], at, record);
  }
}

void MirrorPlanner::Ask(std::string_view row, std::string_view family, std::string_view qualifier, int64_t time,
                        uint64_t name, size_t record) {
  const int64_t floor = std::max(time, FloorOf(row, family, name));
  if (floor > kHighest - 2) {
    letters_->push_back({record, TooNewText("column " + ColumnText(family, qualifier), floor)});
    return;
  }
  const auto [place, added] = questions_.try_emplace({std::string(row), std::string(family), std::string(qualifier)},
                                                     Question{.first = record});
  Question* question = &place->second;
  question->at = floor + 1;
  question->record = record;
  // H4: the question takes two versions, one per read, whatever the answer is.
  floors_->Raise(name, question->at + 1);
}

void MirrorPlanner::Recheck(const consumer::Request& request, const Columns& columns, size_t record) {
  RemoveSuspects(request, record);
  const auto& named = request.columns;
  for (const consumer::RequestedColumn& column : columns) {
    const Mother mother{request.row, column.family, column.qualifier};
    const bool meant = named.empty() || std::find(named.begin(), named.end(), column) != named.end() ||
                       FollowsAny(mother, request.suspects);
    if (!meant) continue;
    const uint64_t name = Floors::NameOf(mother.row, mother.family, mother.qualifier);
    Ask(mother.row, mother.family, mother.qualifier, FloorTable::kNone, name, record);
    if (const auto asked = questions_.find(mother); asked != questions_.end()) asked->second.recheck = true;
  }
}

/// M14: removes up to the version that the comparison found; a younger version was written since.
void MirrorPlanner::RemoveSuspects(const consumer::Request& request, size_t record) {
  for (const consumer::Suspect& suspect : request.suspects) {
    if (const Status usable = suspects_.Check(suspect); !usable.ok()) {
      letters_->push_back({record, usable.message(), LetterKind::kUndecodable});
      continue;
    }
    changes_->Remove({suspect.table, suspect.row, suspect.family, suspect.qualifier, {}}, suspect.timestamp, record);
  }
}

bool MirrorPlanner::FollowsAny(const Mother& mother, const std::vector<consumer::Suspect>& suspects) {
  if (suspects.empty()) return false;
  Places(mother, &places_);
  return std::any_of(suspects.begin(), suspects.end(), [&](const consumer::Suspect& suspect) {
    return Has(places_, {suspect.table, suspect.row, suspect.family, suspect.qualifier, {}});
  });
}

void MirrorPlanner::Places(const Mother& mother, mapping::EntryList* places) {
  const mapping::VisibleCell name = NameAlone(mother.family, mother.qualifier);
  places->Clear();
  index_->DeriveIndexCells({mother.row, {&name, 1}}, places);
}

void MirrorPlanner::Raise(const Mother& mother, int64_t newest, Question* question) {
  if (newest < question->at) return;
  if (newest > kMaxPassedVersion) {
    letters_->push_back({question->record,
                         TooNewText("an index cell of column " + ColumnText(mother.family, mother.qualifier), newest)});
    return;
  }
  // M14: above every put and marker of the index cells.
  question->at = newest + 1;
  floors_->Raise(Floors::NameOf(mother.row, mother.family, mother.qualifier), question->at + 1);
}

void MirrorPlanner::Answer(const Mother& mother, const mapping::VisibleCell* shown, int64_t at, Question* question) {
  const mapping::VisibleCell cell = shown == nullptr ? NameAlone(mother.family, mother.qualifier) : *shown;
  const mapping::RowView view{mother.row, {&cell, 1}};
  entries_.Clear();
  if (shown != nullptr) index_->Derive(view, &entries_, &problems_);
  // H4: at its own time if that is above X, else at X.
  const int64_t version = std::max(at, cell.timestamp);
  for (size_t i = 0; i < entries_.size(); ++i) {
    mapping::Entry entry = entries_[i];
    entry.expires_at = EndOf(*index_, entry, cell.timestamp, version);
    PutEntry(entry, version, question->record, at);
  }
  RemoveWhereNoEntry(view, at, question->record);
  const int64_t seen = shown == nullptr ? FloorTable::kNone : shown->timestamp;
  if (std::exchange(question->seen, seen) == seen) problems_.clear();  // the look before told them
  TellProblems(question->record);
}

void MirrorPlanner::TellProblems(size_t record) {
  for (mapping::Unmappable& problem : problems_) {
    letters_->push_back({record, std::move(problem.reason), LetterKind::kUnmappable});
  }
  problems_.clear();
}

}  // namespace fensi::indexer
