#include "mapping/lookup/units.h"

#include "mapping/template/steps.h"

namespace fensi::mapping {
namespace {

std::vector<const Template*> TemplatesOf(const IndexDefinition& definition) {
  std::vector<const Template*> templates = {&definition.row};
  if (definition.table_template) templates.push_back(&*definition.table_template);
  for (const ColumnRule& column : definition.columns) {
    templates.insert(templates.end(), {&column.qualifier, &column.value});
  }
  return templates;
}

std::optional<int64_t> UnitBehind(const Part& part, size_t step) {
  const Function* const function = step < part.steps.size() ? part.steps[step].function : nullptr;
  if (function == nullptr || function->reading.counts == 0) return std::nullopt;
  return function->reading.counts;
}

}  // namespace

std::optional<int64_t> UnitOf(const IndexDefinition& definition, const Part& part, size_t typed_at) {
  const size_t number_at = FirstNumber(part, typed_at);
  if (number_at == kNoStep) return std::nullopt;
  for (const Template* program : TemplatesOf(definition)) {
    for (const Part& other : program->parts) {
      if (other.IsLiteral() || !other.reference->Same(*part.reference) || !BeginAlike(other, part, number_at)) continue;
      if (const std::optional<int64_t> unit = UnitBehind(other, number_at)) return unit;
    }
  }
  return std::nullopt;
}

}  // namespace fensi::mapping
