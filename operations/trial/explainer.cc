#include "operations/trial/explainer.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "mapping/explain.h"
#include "operations/console/console.h"
#include "operations/trial/change_text.h"

namespace fensi::operations {
namespace {

using mapping::Index;

bool Touches(const Index& index, const Cell& cell) {
  return IsFamilyMarker(cell.type) ? index.WatchesFamily(cell.family) : index.Watches(cell.family, cell.qualifier);
}

/// Prints what is written to the index; the state is the indexer's own business.
class Narrator final : public TrialObserver {
 public:
  explicit Narrator(const Index& index) : index_(index) {}

  void Written(const std::string& table, const store::RowMutation& mutation) override {
    if (table == index_.state_table()) return;
    for (const Cell& cell : mutation.cells) {
      Print("      " + table + ", row " + Escape(mutation.row) + ": " + ChangeText(cell) + "\n");
      ++mutations_;
    }
  }
  void Refused(const consumer::DeadLetter& letter) override {
    Print("      dead letter: " + letter.reason + "\n");
    Print("      do: correct the value in the event or the mapping\n");
    ++mutations_;
  }
  bool silent() const { return mutations_ == 0; }

 private:
  const Index& index_;
  int64_t mutations_ = 0;
};

}  // namespace

Status Explainer::AddIndex(std::shared_ptr<const Index> index) {
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<Trial> trial, Trial::Start(index));
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<SourceMirror> source, SourceMirror::Start(*index, &epoch_));
  indexes_.push_back({std::move(index), std::move(trial), std::move(source)});
  return Status();
}

Status Explainer::Explain(const ChangeEvent& event) {
  Print("event " + std::to_string(++events_) + ": table " + event.table + ", row " + Escape(event.row) + "\n");
  for (const Cell& cell : event.cells) Print("    " + ChangeText(cell) + "\n");
  for (Watched& watched : indexes_) FENSI_RETURN_IF_ERROR(ExplainFor(&watched, event));
  return Status();
}

/// How the templates see the row behind the event.
Status Explainer::PrintSteps(const Watched& watched, const std::string& row) {
  FENSI_ASSIGN_OR_RETURN(const store::Row source, watched.source->Read(row));
  std::vector<mapping::VisibleCell> cells;
  for (const Cell& cell : source.cells) {
    if (cell.timestamp > kMaxSourceTime) continue;  // the index takes the column for empty
    cells.push_back({cell.family, cell.qualifier, cell.timestamp, cell.value});
  }
  if (cells.empty()) {
    Print("    the row has no visible cell that the index watches\n");
    return Status();
  }
  for (const std::string& line : mapping::Explain(*watched.index, {row, cells})) Print("    " + line + "\n");
  return Status();
}

Status Explainer::ExplainFor(Watched* watched, const ChangeEvent& event) {
  const Index& index = *watched->index;
  Print("  index " + index.name());
  if (event.table != index.source_table()) {
    Print(": not concerned, its table is " + index.source_table() + "\n");
    return Status();
  }
  const auto touches = [&](const Cell& cell) { return Touches(index, cell); };
  if (std::none_of(event.cells.begin(), event.cells.end(), touches)) {
    Print(": not concerned, no cell of the event is watched\n");
    return Status();
  }
  Print(":\n");
  FENSI_RETURN_IF_ERROR(watched->source->Apply(event));
  FENSI_RETURN_IF_ERROR(PrintSteps(*watched, event.row));
  Print("    written, in this order:\n");
  Narrator narrator(index);
  FENSI_RETURN_IF_ERROR(watched->trial->Apply({event}, &narrator));
  if (narrator.silent()) Print("      nothing changes\n");
  return Status();
}

}  // namespace fensi::operations
