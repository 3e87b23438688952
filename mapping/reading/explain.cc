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

bool IsNumeric(const Condition& condition) {
  return condition.left.parts.size() == 1 && condition.left.parts[0].shape.type != Type::kBytes;
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
  for (const Condition& condition : definition_.when) {
    if (IsNumeric(condition)) {
      lines->push_back("when '" + condition.text + "'");
      lines->push_back("  " + TracePart(condition.left.parts[0], work->inputs));
    } else {
      AddTemplate("when '" + condition.text + "': left", condition.left, work->inputs, lines);
      if (condition.comparison != Comparison::kPresent) {
        AddTemplate("when '" + condition.text + "': right", condition.right, work->inputs, lines);
      }
    }
  }
  std::vector<Unmappable> problems;
  if (!ConditionsHold(work, &problems)) {
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
