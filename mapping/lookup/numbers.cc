#include "mapping/lookup/numbers.h"

#include <algorithm>

#include "mapping/functions/numbers_as_text.h"
#include "mapping/lookup/inverse.h"
#include "mapping/template/program.h"

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

namespace {

__extension__ typedef __int128 Wide;

std::optional<int64_t> NumberInFront(const Part& part, size_t step, int64_t number, Scratch* scratch) {
  Value value;
  value.number = number;
  if (InvertStep(part, step, &value, scratch) != Inverse::kExact) return std::nullopt;
  return value.number;
}

/// Through a function that gives different numbers for different ones, in their order or turned round.
bool OneByOne(const Part& part, size_t step, Scratch* scratch, Numbers* numbers) {
  const auto least = NumberInFront(part, step, numbers->least, scratch);
  const auto most = NumberInFront(part, step, numbers->most, scratch);
  if (!least || !most) return false;
  int64_t next = 0;
  if (__builtin_add_overflow(numbers->least, numbers->cycle, &next)) return false;
  const auto behind = NumberInFront(part, step, next, scratch);
  if (!behind || __builtin_sub_overflow(*behind, *least, &numbers->cycle)) return false;
  numbers->cycle = std::max(numbers->cycle, -numbers->cycle);
  numbers->least = std::min(*least, *most);
  numbers->most = std::max(*least, *most);
  return true;
}

/// The part of all these that is in the cyclic ones, from the first to the last. False: empty.
bool Narrow(const Numbers& cyclic, Numbers* all) {
  const Wide cycle = cyclic.cycle;
  const Wide first = cyclic.least + cycle * -FloorDivide(-(Wide{all->least} - cyclic.most), cycle);
  const Wide last = cyclic.most + cycle * FloorDivide(Wide{all->most} - cyclic.least, cycle);
  if (first > all->most || last < all->least) return false;
  all->least = static_cast<int64_t>(std::max<Wide>(all->least, first));
  all->most = static_cast<int64_t>(std::min<Wide>(all->most, last));
  return true;
}

}  // namespace

std::optional<Numbers> NumbersThatGive(const Part& part, size_t begin, std::string_view bytes, Scratch* scratch) {
  Value value;
  value.bytes = bytes;
  std::optional<Numbers> numbers;
  for (size_t i = part.steps.size(); i-- > begin;) {
    const Step& step = part.steps[i];
    if (step.function == nullptr) return std::nullopt;
    if (step.function->reading.spread != nullptr) {
      if (!numbers) numbers.emplace();
      if (!step.function->reading.spread(step.arguments, value.bytes, &*numbers)) return std::nullopt;
    } else if (numbers) {
      // Numbers that were read out of bytes, which another number was written as: nothing is known of that.
      if (!IsRanked(TypeAt(part, i)) || !OneByOne(part, i, scratch, &*numbers)) return std::nullopt;
    } else {
      if (InvertStep(part, i, &value, scratch) != Inverse::kExact) return std::nullopt;
      if (IsRanked(TypeAt(part, i))) numbers = Numbers{value.number, value.number, 0};
    }
  }
  return numbers;
}

std::optional<Numbers> InAll(std::span<const Numbers> several) {
  const auto has_cycle = [](const Numbers& numbers) { return numbers.cycle != 0; };
  if (std::all_of(several.begin(), several.end(), has_cycle)) return std::nullopt;
  Numbers all{INT64_MIN, INT64_MAX, 0};
  for (const Numbers& numbers : several) {
    if (has_cycle(numbers)) continue;
    all.least = std::max(all.least, numbers.least);
    all.most = std::min(all.most, numbers.most);
  }
  if (all.least > all.most) return std::nullopt;
  // One that narrows them may let another narrow them more.
  for (size_t round = 0; round < several.size(); ++round) {
    for (const Numbers& numbers : several) {
      if (has_cycle(numbers) && !Narrow(numbers, &all)) return std::nullopt;
    }
  }
  return all;
}

}  // namespace fensi::mapping
