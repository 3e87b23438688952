// One unit of a source row to index cells. Runs for every event: no allocation once its buffers have grown.
#include <algorithm>
#include <tuple>

#include "base/bytes.h"
#include "mapping/compiled_index.h"
#include "mapping/definition/names.h"
#include "mapping/derive_work.h"

namespace fensi::mapping {
namespace {

constexpr size_t kMostKeyBytes = 32767;  // HConstants.MAX_ROW_LENGTH
constexpr size_t kFew = 8;

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n\f\v");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n\f\v") - begin + 1);
}

std::string Reason(std::string_view what, const std::string& text, const std::string& reason) {
  return std::string(what) + " '" + text + "': " + reason;
}

}  // namespace

CompiledIndex::Work& CompiledIndex::ThreadWork() {
  thread_local Work work;
  return work;
}

void CompiledIndex::Derive(const RowView& row, EntryList* entries, std::vector<Unmappable>* problems) const {
  Work& work = ThreadWork();
  work.Begin(row.row);
  BindCells(row, &work);
  work.inputs.slots = work.slots;
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

void CompiledIndex::DeriveBound(Work* work, std::vector<Unmappable>* problems) const {
  for (const VisibleCell* cell : work->bound) {
    work->inputs.bound = cell;
    DeriveEntry(work, problems);
  }
}

void CompiledIndex::DeriveList(Work* work, std::vector<Unmappable>* problems) const {
  const Part& part = definition_.each.list->parts[0];
  Value value;
  const Outcome outcome = RunPart(part, work->inputs, &work->scratch, &value);
  if (outcome == Outcome::kUnmappable) problems->push_back({Reason("each", part.text, work->scratch.reason)});
  if (outcome != Outcome::kValue) return;
  CollectItems(part, value, work);
  for (std::string_view item : work->items) {
    work->inputs.item = item;
    DeriveEntry(work, problems);
  }
}

void CompiledIndex::CollectItems(const Part& part, const Value& list, Work* work) {
  work->items.clear();
  for (std::string_view item : *list.list) {
    if (!part.shape.exact_items) item = Trimmed(item);
    if (!item.empty()) work->items.push_back(item);
  }
  std::sort(work->items.begin(), work->items.end());
  work->items.erase(std::unique(work->items.begin(), work->items.end()), work->items.end());
}

// False: unmappable, and reported.
bool CompiledIndex::Run(const Template& program, std::string_view what, Work* work, std::vector<Unmappable>* problems,
                        std::string_view* out, Outcome* outcome) const {
  *outcome = RunTemplate(program, work->inputs, &work->scratch, out);
  if (*outcome != Outcome::kUnmappable) return true;
  problems->push_back({Reason(what, program.text, work->scratch.reason)});
  return false;
}

bool CompiledIndex::ConditionsHold(Work* work, std::vector<Unmappable>* problems) const {
  for (const Condition& condition : definition_.when) {
    const Verdict verdict = RunCondition(condition, work->inputs, &work->scratch);
    if (verdict == Verdict::kUnmappable) problems->push_back({Reason("when", condition.text, work->scratch.reason)});
    if (verdict != Verdict::kHolds) return false;
  }
  return true;
}

void CompiledIndex::DeriveEntry(Work* work, std::vector<Unmappable>* problems) const {
  if (!ConditionsHold(work, problems)) return;
  std::string_view row;
  Outcome outcome = Outcome::kValue;
  if (!Run(definition_.row, "row", work, problems, &row, &outcome) || outcome == Outcome::kAbsent) return;
  if (row.empty() || row.size() > kMostKeyBytes) {
    const std::string what =
        row.empty() ? "the row key is empty"
                    : "the row key has " + std::to_string(row.size()) + " bytes, at most 32767 are possible";
    problems->push_back({Reason("row", definition_.row.text, what)});
    return;
  }
  Entry place;
  place.row = row;
  if (!DeriveTable(work, problems, &place)) return;
  const size_t before = work->pending.size();
  if (!DeriveColumns(place, work, problems)) work->pending.resize(before);
}

bool CompiledIndex::DeriveTable(Work* work, std::vector<Unmappable>* problems, Entry* entry) const {
  entry->table = definition_.table;
  if (!definition_.table_template) return true;
  const Template& program = *definition_.table_template;
  Outcome outcome = Outcome::kValue;
  if (!Run(program, "table", work, problems, &entry->table, &outcome) || outcome == Outcome::kAbsent) return false;
  Value time;
  if (RunPart(definition_.period, work->inputs, &work->scratch, &time) != Outcome::kValue) return false;
  entry->period = time.number;
  if (IsTableName(entry->table)) return true;
  problems->push_back({Reason("table", program.text, Shown(entry->table) + " is no legal name of a table")});
  return false;
}

// False: the entry does not exist, whatever cells were pending already.
bool CompiledIndex::DeriveColumns(const Entry& place, Work* work, std::vector<Unmappable>* problems) const {
  for (size_t i = 0; i < definition_.columns.size(); ++i) {
    const ColumnRule& column = definition_.columns[i];
    Entry entry = place;
    Outcome outcome = Outcome::kValue;
    if (!Run(column.qualifier, "column", work, problems, &entry.qualifier, &outcome)) return false;
    if (outcome == Outcome::kAbsent) return false;
    if (!Run(column.value, "value", work, problems, &entry.value, &outcome)) return false;
    if (outcome == Outcome::kAbsent) continue;
    entry.family = column.family;
    entry.expires_at = ExpiryOf(i, *work);
    work->entry_bytes += entry.table.size() + entry.row.size() + entry.qualifier.size() + entry.value.size();
    if (work->entry_bytes > kMostScratchBytes) {
      problems->push_back({"the entries of one row have more than 256 MiB"});
      return false;
    }
    work->pending.push_back({entry, false});
  }
  return true;
}

void CompiledIndex::Emit(Work* work, EntryList* entries) const {
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
