#include "mapping/engine/derive.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "mapping/definition/analysis.h"
#include "mapping/definition/checks.h"

namespace fensi::mapping {
namespace {

constexpr size_t kFew = 8;
constexpr size_t kMostProblems = 1000;  // that are told of the columns or items of one row

std::string Reason(std::string_view what, const std::string& text, const std::string& reason) {
  return std::string(what) + " '" + text + "': " + reason;
}

bool CellsMayRepeat(const IndexDefinition& definition) {
  if (definition.columns.size() > 1) return true;
  return definition.each.fanout != Fanout::kNone && ScopeOf(definition) != StateScope::kColumn;
}

Work& ThreadWork() {
  thread_local Work work;
  return work;
}

}  // namespace

Deriver::Deriver(const IndexDefinition& definition)
    : definition_(definition), expiry_(definition), cells_may_repeat_(CellsMayRepeat(definition)) {}

void Deriver::Derive(const RowView& row, EntryList* entries, std::vector<Unmappable>* problems) const {
  Work& work = ThreadWork();
  work.Begin(definition_, row);
  if (definition_.exists && work.slots[*definition_.exists] == nullptr) return;
  switch (definition_.each.fanout) {
    case Fanout::kNone:
      DeriveEntry(&work, problems);
      break;
    case Fanout::kColumns:
      DeriveBound(&work, problems);
      break;
    case Fanout::kList:
      DeriveList(&work, problems);
      break;
  }
  Emit(&work, entries);
}

void Deriver::DeriveIndexCells(const RowView& row, EntryList* places) const {
  Work& work = ThreadWork();
  work.Begin(definition_, row);
  if (definition_.each.fanout == Fanout::kNone) DerivePlacesOf(&work);
  for (const VisibleCell* cell : work.bound) {
    work.inputs.bound = cell;
    DerivePlacesOf(&work);
  }
  for (const Work::Pending& one : work.pending) places->Add(one.entry);
}

/// As DeriveEntry, without what depends on a value: of a stateless index, row key and qualifiers do not.
void Deriver::DerivePlacesOf(Work* work) const {
  Entry place;
  place.table = definition_.table;
  if (RunTemplate(definition_.row, work->inputs, &work->scratch, &place.row) != Outcome::kValue) return;
  if (place.row.empty() || place.row.size() > kMaxRowBytes) return;
  const size_t before = work->pending.size();
  for (size_t i = 0; i < definition_.columns.size(); ++i) {
    Entry entry = place;
    if (RunTemplate(definition_.columns[i].qualifier, work->inputs, &work->scratch, &entry.qualifier) !=
        Outcome::kValue) {
      work->pending.resize(before);
      return;
    }
    const std::optional<size_t> mother = MotherSlot(definition_, i);
    if (mother && work->slots[*mother] == nullptr) continue;
    entry.family = definition_.columns[i].family;
    work->pending.push_back({entry, false});
  }
}

void Deriver::DeriveBound(Work* work, std::vector<Unmappable>* problems) const {
  const size_t most = problems->size() + kMostProblems;
  for (const VisibleCell* cell : work->bound) {
    work->inputs.bound = cell;
    DeriveEntry(work, problems);
    if (problems->size() > most) problems->resize(most);
  }
}

void Deriver::DeriveList(Work* work, std::vector<Unmappable>* problems) const {
  const Part& part = definition_.each.list->parts[0];
  Value value;
  const Outcome outcome = RunPart(part, work->inputs, &work->scratch, &value);
  if (outcome == Outcome::kUnmappable) problems->push_back({Reason("each", part.text, work->scratch.reason)});
  if (outcome != Outcome::kValue) return;
  work->TakeItems(part, value);
  const size_t most = problems->size() + kMostProblems;
  for (std::string_view item : work->items) {
    work->inputs.item = item;
    DeriveEntry(work, problems);
    if (problems->size() > most) problems->resize(most);
  }
}

// False: unmappable, and reported.
bool Deriver::Run(const Template& program, std::string_view what, Work* work, std::vector<Unmappable>* problems,
                  std::string_view* out, Outcome* outcome) const {
  *outcome = RunTemplate(program, work->inputs, &work->scratch, out);
  if (*outcome != Outcome::kUnmappable) return true;
  problems->push_back({Reason(what, program.text, work->scratch.reason)});
  return false;
}

bool Deriver::ConditionsHold(Work* work, std::vector<Unmappable>* problems) const {
  for (const Condition& condition : definition_.when) {
    const Verdict verdict = RunCondition(condition, work->inputs, &work->scratch);
    if (verdict == Verdict::kUnmappable) problems->push_back({Reason("when", condition.text, work->scratch.reason)});
    if (verdict != Verdict::kHolds) return false;
  }
  return true;
}

void Deriver::DeriveEntry(Work* work, std::vector<Unmappable>* problems) const {
  if (!ConditionsHold(work, problems)) return;
  std::string_view row;
  Outcome outcome = Outcome::kValue;
  if (!Run(definition_.row, "row", work, problems, &row, &outcome) || outcome == Outcome::kAbsent) return;
  if (row.empty() || row.size() > kMaxRowBytes) {
    const std::string what = row.empty() ? "the row key is empty"
                                         : "the row key has " + std::to_string(row.size()) + " bytes, at most " +
                                               std::to_string(kMaxRowBytes) + " are possible";
    problems->push_back({Reason("row", definition_.row.text, what)});
    return;
  }
  Entry place;
  place.row = row;
  if (!DeriveTable(work, problems, &place)) return;
  const size_t before = work->pending.size();
  if (!DeriveColumns(place, work, problems)) work->pending.resize(before);
}

bool Deriver::DeriveTable(Work* work, std::vector<Unmappable>* problems, Entry* entry) const {
  entry->table = definition_.table;
  if (!definition_.table_template) return true;
  const Template& program = *definition_.table_template;
  Outcome outcome = Outcome::kValue;
  if (!Run(program, "table", work, problems, &entry->table, &outcome) || outcome == Outcome::kAbsent) return false;
  Value time;
  if (RunPart(definition_.period, work->inputs, &work->scratch, &time) != Outcome::kValue) return false;
  entry->period = time.number;
  if (IsTableName(entry->table)) return true;
  problems->push_back({Reason("table", program.text, Shown(entry->table) + " is not a legal name of a table")});
  return false;
}

// False: the entry does not exist, whatever cells were pending already.
bool Deriver::DeriveColumns(const Entry& place, Work* work, std::vector<Unmappable>* problems) const {
  for (size_t i = 0; i < definition_.columns.size(); ++i) {
    const ColumnRule& column = definition_.columns[i];
    Entry entry = place;
    Outcome outcome = Outcome::kValue;
    if (!Run(column.qualifier, "column", work, problems, &entry.qualifier, &outcome)) return false;
    if (outcome == Outcome::kAbsent) return false;
    work->scratch.outgrown = false;
    const bool mapped = Run(column.value, "value", work, problems, &entry.value, &outcome);
    // Too long by itself: a column alone is left out, as where each column follows a source cell of its own.
    if (!mapped && (!work->scratch.outgrown || work->scratch.Full())) return false;
    if (!mapped || outcome == Outcome::kAbsent) continue;
    entry.family = column.family;
    expiry_.Tell(i, *work, &entry);
    work->entry_bytes += entry.table.size() + entry.row.size() + entry.qualifier.size() + entry.value.size();
    if (work->entry_bytes > kMostScratchBytes) {
      // Once: there may be millions of items more.
      if (!std::exchange(work->full, true)) problems->push_back({"the entries of one row have more than 256 MiB"});
      return false;
    }
    work->pending.push_back({entry, false});
  }
  return true;
}

void Deriver::Emit(Work* work, EntryList* entries) const {
  std::vector<Work::Pending>& pending = work->pending;
  if (cells_may_repeat_ && pending.size() > 1 && pending.size() <= kFew) {
    for (size_t i = 0; i < pending.size(); ++i) {
      for (size_t k = i + 1; k < pending.size() && !pending[i].dead; ++k) {
        if (SameCell(pending[i].entry, pending[k].entry)) pending[i].GiveWayTo(&pending[k].entry);
      }
    }
  } else if (cells_may_repeat_ && pending.size() > kFew) {
    work->sorted.clear();
    for (Work::Pending& one : pending) work->sorted.push_back(&one);
    std::sort(work->sorted.begin(), work->sorted.end(), [](const Work::Pending* a, const Work::Pending* b) {
      return std::tie(a->entry.row, a->entry.family, a->entry.qualifier, a->entry.table, a) <
             std::tie(b->entry.row, b->entry.family, b->entry.qualifier, b->entry.table, b);
    });
    for (size_t i = 0; i + 1 < work->sorted.size(); ++i) {
      Entry* next = &work->sorted[i + 1]->entry;
      if (SameCell(work->sorted[i]->entry, *next)) work->sorted[i]->GiveWayTo(next);
    }
  }
  for (const Work::Pending& one : pending) {
    if (!one.dead) entries->Add(one.entry);
  }
}

}  // namespace fensi::mapping
