#include "mapping/explain.h"

#include "base/bytes.h"
#include "mapping/definition/definition.h"
#include "mapping/engine/work.h"
#include "mapping/explain/trace.h"

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

void ExplainEntry(const IndexDefinition& definition, const Inputs& inputs, Lines* lines) {
  bool hold = true;
  for (const Condition& condition : definition.when) {
    hold = AddCondition(condition, inputs, lines) == Verdict::kHolds && hold;
  }
  if (!hold) {
    lines->push_back("no entry: a condition does not hold");
    return;
  }
  if (definition.table_template) AddTemplate("table", *definition.table_template, inputs, lines);
  AddTemplate("row", definition.row, inputs, lines);
  for (const ColumnRule& column : definition.columns) {
    AddTemplate("column '" + Escape(column.family) + ":' +", column.qualifier, inputs, lines);
    AddTemplate("value", column.value, inputs, lines);
  }
}

void ExplainList(const IndexDefinition& definition, Work* work, Lines* lines) {
  const Part& part = definition.each.list->parts[0];
  lines->push_back("each " + TracePart(part, work->inputs));
  Value value;
  if (RunPart(part, work->inputs, &work->scratch, &value) != Outcome::kValue) {
    lines->push_back("no entry: there is no list");
    return;
  }
  work->TakeItems(part, value);
  for (std::string_view item : work->items) {
    work->inputs.item = item;
    lines->push_back("each item " + Shown(item) + ":");
    ExplainEntry(definition, work->inputs, lines);
  }
}

}  // namespace

Lines Explain(const Index& index, const RowView& row) {
  const IndexDefinition& definition = index.compiled();
  Lines lines;
  Work work;
  work.Begin(definition, row);
  if (definition.exists && work.slots[*definition.exists] == nullptr) {
    const Slot& slot = definition.slots[*definition.exists];
    return {"no entry: the column of 'requires', " + ColumnText(slot.family, slot.qualifier) + ", is absent"};
  }
  switch (definition.each.fanout) {
    case Fanout::kNone:
      ExplainEntry(definition, work.inputs, &lines);
      break;
    case Fanout::kColumns:
      if (work.bound.empty()) return {"no entry: the row has no column of 'each' (" + definition.each.text + ")"};
      for (const VisibleCell* cell : work.bound) {
        work.inputs.bound = cell;
        lines.push_back("each " + ColumnText(cell->family, cell->qualifier) + ":");
        ExplainEntry(definition, work.inputs, &lines);
      }
      break;
    case Fanout::kList:
      ExplainList(definition, &work, &lines);
      break;
  }
  return lines;
}

}  // namespace fensi::mapping
