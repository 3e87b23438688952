// Why a source row has the entries it has: every template, part by part, as it was evaluated.
#include <algorithm>

#include "base/bytes.h"
#include "mapping/compiled_index.h"
#include "mapping/derive_work.h"
#include "mapping/reading/trace.h"

namespace fensi::mapping {
namespace {

using Lines = std::vector<std::string>;

void AddTemplate(const std::string& what, const Template& program, const Inputs& inputs, Lines* lines) {
  lines->push_back(what + " '" + program.text + "' = " + TraceResult(program, inputs));
  for (const Part& part : program.parts) {
    if (!part.IsLiteral() && (program.parts.size() > 1 || !part.steps.empty())) {
      lines->push_back("  " + TracePart(part, inputs));
    }
  }
}

std::string_view VerdictText(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "holds";
    case Verdict::kFails:
      return "does not hold";
    case Verdict::kUnmappable:
      return "cannot be decided";
  }
  return "";
}

void AddParts(const Template& program, const Inputs& inputs, Lines* lines) {
  for (const Part& part : program.parts) {
    if (!part.IsLiteral()) lines->push_back("  " + TracePart(part, inputs));
  }
}

Verdict AddCondition(const Condition& condition, const Inputs& inputs, Lines* lines) {
  Scratch scratch;
  const Verdict verdict = RunCondition(condition, inputs, &scratch);
  lines->push_back("when '" + condition.text + "': " + std::string(VerdictText(verdict)));
  ForEachTest(condition, [&](const Test& test) {
    AddParts(test.left, inputs, lines);
    AddParts(test.right, inputs, lines);
  });
  return verdict;
}

}  // namespace

Lines CompiledIndex::Explain(const RowView& row) const {
  Lines lines;
  Work work;
  work.Begin(row.row);
  BindCells(row, &work);
  work.inputs.slots = work.slots;
  if (definition_.exists && work.slots[*definition_.exists] == nullptr) {
    const Slot& slot = definition_.slots[*definition_.exists];
    return {"no entry: the column of 'exists', " + ColumnText(slot.family, slot.qualifier) + ", is absent"};
  }
  switch (definition_.each.fanout) {
    case Fanout::kNone:
      ExplainEntry(&work, &lines);
      break;
    case Fanout::kColumns:
      if (work.bound.empty()) return {"no entry: the row has no column of 'each' (" + definition_.each.text + ")"};
      for (const VisibleCell* cell : work.bound) {
        work.inputs.bound = cell;
        lines.push_back("each " + ColumnText(cell->family, cell->qualifier) + ":");
        ExplainEntry(&work, &lines);
      }
      break;
    case Fanout::kList:
      ExplainList(&work, &lines);
      break;
  }
  return lines;
}

void CompiledIndex::ExplainList(Work* work, Lines* lines) const {
  const Part& part = definition_.each.list->parts[0];
  lines->push_back("each " + TracePart(part, work->inputs));
  Value value;
  if (RunPart(part, work->inputs, &work->scratch, &value) != Outcome::kValue) {
    lines->push_back("no entry: there is no list");
    return;
  }
  CollectItems(part, value, work);
  for (std::string_view item : work->items) {
    work->inputs.item = item;
    lines->push_back("each item " + Shown(item) + ":");
    ExplainEntry(work, lines);
  }
}

void CompiledIndex::ExplainEntry(Work* work, Lines* lines) const {
  bool hold = true;
  for (const Condition& condition : definition_.when) {
    hold = AddCondition(condition, work->inputs, lines) == Verdict::kHolds && hold;
  }
  if (!hold) {
    lines->push_back("no entry: a condition does not hold");
    return;
  }
  if (definition_.table_template) AddTemplate("table", *definition_.table_template, work->inputs, lines);
  AddTemplate("row", definition_.row, work->inputs, lines);
  for (const ColumnRule& column : definition_.columns) {
    AddTemplate("column '" + Escape(column.family) + ":' +", column.qualifier, work->inputs, lines);
    AddTemplate("value", column.value, work->inputs, lines);
  }
}

}  // namespace fensi::mapping
