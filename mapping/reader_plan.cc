#include "mapping/reader_plan.h"

#include <map>

#include "mapping/definition/analysis.h"
#include "mapping/definition/definition.h"
#include "mapping/lookup/inverse.h"
#include "mapping/lookup/key_encoding.h"
#include "mapping/lookup/key_parts.h"
#include "mapping/lookup/numbers.h"
#include "mapping/lookup/planned_lookup.h"
#include "mapping/lookup/table_names.h"

namespace fensi::mapping {
namespace {

PlannedType PlannedTypeOf(Type type) {
  switch (type) {
    case Type::kInteger:
      return PlannedType::kInteger;
    case Type::kTime:
      return PlannedType::kTime;
    case Type::kReal:
      return PlannedType::kReal;
    default:
      return PlannedType::kBytes;
  }
}

PlannedStep::Inverse PlannedInverseOf(Inverse inverse) {
  return inverse == Inverse::kExact  ? PlannedStep::Inverse::kExact
         : inverse == Inverse::kGood ? PlannedStep::Inverse::kGood
                                     : PlannedStep::Inverse::kNone;
}

PlannedStep::Order PlannedOrderOf(const Part& part, size_t i) {
  const Step& step = part.steps[i];
  if (step.function == nullptr) return PlannedStep::Order::kUp;
  const auto order = step.function->reading.order;
  switch (order == nullptr ? Direction::kNone : order(step.arguments)) {
    case Direction::kUp:
      return PlannedStep::Order::kUp;
    case Direction::kDown:
      return PlannedStep::Order::kDown;
    case Direction::kUpFromZero:
      return ShapeAt(part, i).non_negative() ? PlannedStep::Order::kUnsigned : PlannedStep::Order::kSigned;
    case Direction::kNone:
      break;
  }
  return PlannedStep::Order::kNone;
}

bool IsTextArgument(const Step& step, size_t argument, Type in) {
  if (step.function == nullptr) return in == Type::kBytes;
  switch (step.function->parameters[argument].kind) {
    case ArgumentKind::kText:
    case ArgumentKind::kAnyText:
    case ArgumentKind::kByte:
    case ArgumentKind::kFormat:
    case ArgumentKind::kReadFormat:
      return true;
    case ArgumentKind::kZone:
      return step.arguments[argument].zone != nullptr;
    default:
      return false;
  }
}

PlannedStep PlannedStepOf(const Part& part, size_t i) {
  const Step& step = part.steps[i];
  const Type in = TypeAt(part, i);
  PlannedStep planned;
  planned.function = step.function == nullptr ? "default" : std::string(step.function->name);
  for (size_t k = 0; k < step.arguments.size(); ++k) {
    const Argument& argument = step.arguments[k];
    IsTextArgument(step, k, in) ? planned.arguments.emplace_back(argument.text)
                                : planned.arguments.emplace_back(argument.number);
  }
  planned.in = PlannedTypeOf(in);
  planned.out = PlannedTypeOf(TypeAt(part, i + 1));
  planned.inverse = PlannedInverseOf(BestInverse(part, i));
  planned.order = PlannedOrderOf(part, i);
  return planned;
}

/// A copy of the definition in which a part begins after the last step that a program cannot repeat.
class StoredForms {
 public:
  explicit StoredForms(const std::function<bool(std::string_view)>& repeats) : repeats_(repeats) {}

  void Replace(Part* part) {
    if (part->IsLiteral()) return;
    const size_t first = FirstRepeated(*part);
    if (first == 0 && part->reference->joined == nullptr) return;
    std::string name = part->reference->name;
    for (size_t i = 0; i < first; ++i) name += " | " + StepText(part->steps[i]);
    const size_t slot = kFirstSlot + forms_.emplace(name, forms_.size()).first->second;
    if (slot - kFirstSlot == shapes_.size()) shapes_.push_back(ShapeBehind(*part, first));
    const bool time = TypeAt(*part, first) == Type::kTime;
    part->reference = Reference{time ? Reference::Kind::kBoundTime : Reference::Kind::kItem, slot, std::move(name)};
    part->steps.erase(part->steps.begin(), part->steps.begin() + static_cast<std::ptrdiff_t>(first));
  }

  void Replace(Template* program) {
    for (Part& part : program->parts) Replace(&part);
  }

  static bool Is(const Reference& reference) { return reference.slot >= kFirstSlot; }

  /// The width of a stored form behind the first `steps` steps of a part. Absent: they are different, or unknown.
  std::optional<size_t> WidthAt(const Part& part, size_t steps) const {
    if (!Is(*part.reference) || part.reference->IsTime()) return std::nullopt;
    const Shape shape = ShapeAfter(shapes_[part.reference->slot - kFirstSlot], part, steps);
    if (!shape.fixed()) return std::nullopt;
    for (size_t i = steps; i < part.steps.size(); ++i) {
      const bool stands_in = part.steps[i].function == nullptr;  // a `default`, which may be given as it is
      if (stands_in && part.steps[i].arguments[0].text.size() != shape.min_width) return std::nullopt;
    }
    return shape.min_width;
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& [name, number] : forms_) names.push_back(name);
    return names;
  }

 private:
  static constexpr size_t kFirstSlot = 1'000'000;  // beyond the columns that any mapping names

  /// A value that is given is of bytes or a time: a decimal, a list or a number is none of the source.
  size_t FirstRepeated(const Part& part) const {
    size_t first = 0;
    for (size_t i = 0; i < part.steps.size(); ++i) {
      const Step& step = part.steps[i];
      const bool repeated = step.function == nullptr || repeats_(step.function->name);
      if (!repeated || TypeAt(part, i + 1) == Type::kDecimal || TypeAt(part, i + 1) == Type::kList) first = i + 1;
    }
    while (first > 0 && first < part.steps.size() && !IsGiven(TypeAt(part, first))) ++first;
    return first;
  }

  /// Of a part as the definition has it.
  static Shape ShapeBehind(const Part& part, size_t steps) {
    if (steps == part.steps.size()) return part.shape;
    Shape shape = ShapeAt(part, 0);
    if (part.reference->joined != nullptr) {
      shape.SetWidth(0, 0);
      for (const Part& inner : part.reference->joined->parts) {
        shape.SetWidth(Shape::SumOfWidths(shape.min_width, inner.shape.min_width),
                       Shape::SumOfWidths(shape.max_width, inner.shape.max_width));
      }
    }
    return ShapeAfter(shape, part, steps);
  }

  static bool IsGiven(Type type) { return type == Type::kBytes || type == Type::kTime; }

  const std::function<bool(std::string_view)>& repeats_;
  std::map<std::string, size_t> forms_;
  std::vector<Shape> shapes_;  // by the numbers of `forms_`
};

PlannedReference::Kind PlannedKindOf(const Reference& reference) {
  if (StoredForms::Is(reference)) {
    return reference.IsTime() ? PlannedReference::Kind::kStoredTime : PlannedReference::Kind::kStored;
  }
  switch (reference.kind) {
    case Reference::Kind::kRow:
      return PlannedReference::Kind::kRow;
    case Reference::Kind::kColumn:
      return PlannedReference::Kind::kColumn;
    case Reference::Kind::kColumnTime:
      return PlannedReference::Kind::kColumnTime;
    case Reference::Kind::kBoundFamily:
      return PlannedReference::Kind::kFamily;
    case Reference::Kind::kBoundQualifier:
      return PlannedReference::Kind::kQualifier;
    case Reference::Kind::kBoundValue:
      return PlannedReference::Kind::kValue;
    case Reference::Kind::kBoundTime:
      return PlannedReference::Kind::kTime;
    case Reference::Kind::kItem:
    case Reference::Kind::kJoined:
      break;
  }
  return PlannedReference::Kind::kItem;
}

class Planner {
 public:
  Planner(const IndexDefinition& definition, const StoredForms& forms)
      : definition_(definition), forms_(forms), row_(definition.row) {}

  ReaderPlan Plan() const {
    ReaderPlan plan;
    plan.row = TemplateOf(row_);
    for (size_t i = 0; i < SaltParts(row_); ++i) plan.row[i].salts = SaltsAt(i);
    for (const ColumnRule& column : definition_.columns) {
      plan.columns.push_back({column.family, TemplateOf(column.qualifier), TemplateOf(column.value)});
    }
    for (const KeyPart& part : KeyParts(row_)) plan.key.push_back(KeyPartOf(part));
    if (definition_.table_template) plan.period = PeriodOf();
    if (definition_.exists) {
      const Slot& slot = definition_.slots[*definition_.exists];
      plan.required = {slot.family, slot.qualifier};
    }
    plan.has_conditions = !definition_.when.empty();
    plan.of_items = definition_.each.fanout == Fanout::kList;
    return plan;
  }

 private:
  PlannedReference ReferenceOf(const Reference& reference) const {
    PlannedReference planned{PlannedKindOf(reference), reference.name, "", ""};
    if (!reference.IsColumn()) return planned;
    planned.family = definition_.slots[reference.slot].family;
    planned.qualifier = definition_.slots[reference.slot].qualifier;
    return planned;
  }

  PlannedPart PartOf(const Part& part) const {
    PlannedPart planned;
    planned.literal = part.literal;
    planned.text = part.text;
    if (part.IsLiteral()) return planned;
    planned.reference = ReferenceOf(*part.reference);
    for (size_t i = 0; i < part.steps.size(); ++i) planned.steps.push_back(PlannedStepOf(part, i));
    planned.min_width = part.shape.min_width;
    planned.fixed = part.shape.fixed();
    planned.terminated = part.shape.terminated;
    return planned;
  }

  PlannedTemplate TemplateOf(const Template& program) const {
    PlannedTemplate planned;
    for (size_t i = 0; i < program.parts.size(); ++i) {
      planned.push_back(PartOf(program.parts[i]));
      planned.back().ends_itself = EndsItself(program, i);
      planned.back().readable = IsReadable(program, i);
    }
    return planned;
  }

  /// All prefixes that this salt alone can give.
  std::vector<std::string> SaltsAt(size_t i) const {
    Template salt;
    salt.parts = {row_.parts[i], Part{}};
    Part& rest = salt.parts.back();  // without it the salt would be the whole key
    rest.reference = Reference{Reference::Kind::kItem, SIZE_MAX, "rest"};
    const Result<EncodedKey> key = EncodeParts(salt, {}, {});
    return key.ok() && key->open > 0 ? key->prefixes : std::vector<std::string>();
  }

  PlannedKeyPart KeyPartOf(const KeyPart& part) const {
    PlannedKeyPart planned{part.name, 0, part.steps, {}, UnitOf(definition_, *part.first, part.steps), 0, {}, {}};
    planned.width = forms_.WidthAt(*part.first, part.steps);
    const Part& reader = BoundReaderOf(row_, part);
    for (size_t i = 0; i < row_.parts.size(); ++i) {
      if (&row_.parts[i] == part.first) planned.part = i;
      if (&row_.parts[i] == &reader) planned.bounded_part = i;
      if (!part.Decides(row_.parts[i])) continue;
      planned.decides.push_back(i);
      if (forms_.WidthAt(row_.parts[i], part.steps) != planned.width) planned.width.reset();
      if (BoundsReadAlike(reader, row_.parts[i], part.steps)) planned.alike.push_back(i);
    }
    return planned;
  }

  PlannedPeriod PeriodOf() const {
    PlannedPeriod period;
    const Template& table = *definition_.table_template;
    period.table = TemplateOf(table);
    period.time = PartOf(definition_.period);
    period.units = UnitOf(definition_, definition_.period, 0);
    period.of_time_alone = IsOfTimeAlone(definition_);
    period.step_millis = TableNames(table, definition_.period.steps.size()).period();
    const std::vector<KeyPart> parts = KeyParts(row_);
    for (size_t i = parts.size(); i-- > 0;) {
      if (parts[i].steps == 0 && parts[i].first->reference->Same(*definition_.period.reference)) period.key_part = i;
    }
    return period;
  }

  const IndexDefinition& definition_;
  const StoredForms& forms_;
  const Template& row_;
};

}  // namespace

ReaderPlan PlanReader(const Index& index, const std::function<bool(std::string_view)>& repeats) {
  IndexDefinition definition = index.compiled();
  StoredForms forms(repeats);
  forms.Replace(&definition.row);
  for (ColumnRule& column : definition.columns) {
    forms.Replace(&column.qualifier);
    forms.Replace(&column.value);
  }
  if (definition.table_template) forms.Replace(&*definition.table_template);
  if (definition.table_template) forms.Replace(&definition.period);
  ReaderPlan plan = Planner(definition, forms).Plan();
  plan.stored = forms.Names();
  return plan;
}

}  // namespace fensi::mapping
