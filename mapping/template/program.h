// A compiled template: a flat list of parts, each a literal or a reference with the steps that are applied to it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/functions/function.h"
#include "mapping/source_row.h"

namespace fensi::mapping {

/// A column of the source that templates name; its position in the list of slots is how programs reach it.
struct Slot {
  std::string family;
  std::string qualifier;
  bool operator==(const Slot&) const = default;
};

struct Template;

struct Reference {
  enum class Kind : uint8_t {
    kRow,
    kColumn,
    kColumnTime,
    kBoundFamily,
    kBoundQualifier,
    kBoundValue,
    kBoundTime,
    kItem,
    kJoined,  // several parts in parentheses, one after the other
  };
  Kind kind = Kind::kRow;
  size_t slot = 0;                                   // kColumn, kColumnTime
  std::string name;                                  // canonical text: "f1:from@ts"
  std::shared_ptr<const Template> joined = nullptr;  // kJoined

  bool IsBound() const { return kind >= Kind::kBoundFamily && kind <= Kind::kBoundTime; }
  bool IsColumn() const { return kind == Kind::kColumn || kind == Kind::kColumnTime; }
  bool IsTime() const { return kind == Kind::kColumnTime || kind == Kind::kBoundTime; }
  bool Same(const Reference& other) const {
    return kind == other.kind && slot == other.slot && (kind != Kind::kJoined || name == other.name);
  }
};

struct Step {
  const Function* function = nullptr;  // null: `default`
  Arguments arguments;
};

struct Part {
  std::string literal;  // without a reference
  std::optional<Reference> reference;
  std::vector<Step> steps;
  bool defaulted = false;  // never absent for want of a column
  Shape shape;
  std::string text;   // canonical: "{f1:from | lower}"
  size_t offset = 0;  // of the part in the text it was compiled from
  size_t width = 1;

  bool IsLiteral() const { return !reference.has_value(); }
};

/// A template whose parts all end as bytes.
struct Template {
  std::vector<Part> parts;
  std::string text;  // canonical

  bool IsConstant() const;
};

/// Calls `use` with the reference of a part, or with those that are joined in it; of a literal with none.
template <typename Use>
void ForEachReference(const Part& part, const Use& use) {
  if (part.IsLiteral()) return;
  if (part.reference->joined == nullptr) return use(*part.reference);
  for (const Part& inner : part.reference->joined->parts) ForEachReference(inner, use);
}
template <typename Wanted>
bool AnyReference(const Part& part, const Wanted& wanted) {
  bool any = false;
  ForEachReference(part, [&](const Reference& reference) { any = any || wanted(reference); });
  return any;
}

/// The values of references while one entry is made. Borrows everything.
struct Inputs {
  std::string_view row;
  std::span<const VisibleCell* const> slots;  // null: no such cell
  const VisibleCell* bound = nullptr;
  std::string_view item;
};

/// Runs a part; `value` is what its shape's type says.
Outcome RunPart(const Part& part, const Inputs& inputs, Scratch* scratch, Value* value);

/// Runs a template; `out` lives as long as the inputs and the scratch.
Outcome RunTemplate(const Template& program, const Inputs& inputs, Scratch* scratch, std::string_view* out);

/// The functions of a part, entered in the middle: a reader's value stands for what the first of them gave. Pure.
inline constexpr size_t kNoStep = std::string::npos;

/// "split , 1", "default open".
std::string StepText(const Step& step);
/// kPlain: a `default`.
Role RoleOf(const Step& step);
/// Decimal digits as wide as they happen to be.
bool WritesOpenDigits(const Step& step);
bool FillsWithZeros(const Step& step);
/// The time format that a step writes by; null: it writes no time.
const std::string* FormatOf(const Step& step);
/// The zone whose clocks it follows; null: none that are changed.
const TimeZone* ZoneOf(const Step& step);

/// Runs the steps from `begin` up to `end` on a value that is there, so that `default` has nothing to do.
Outcome RunSteps(const Part& part, size_t begin, size_t end, Scratch* scratch, Value* value);

/// The shape after the first `step` steps, including a `default`.
Shape ShapeAt(const Part& part, size_t step);
/// What the first steps of a part make of a value of this shape.
Shape ShapeAfter(Shape shape, const Part& part, size_t steps);
/// Type of what the first `step` steps give.
Type TypeAt(const Part& part, size_t step);
/// The first step, from `begin` on, that a ranked value (an integer, a time, a real) goes into; kNoStep: there is none.
size_t FirstNumber(const Part& part, size_t begin);
/// Behind the function that makes a text of the bytes (`uuid_text`, `phoenix VARCHAR DESC`), if at most functions that
/// extract a piece are in front of it; kNoStep: there is none.
size_t FirstText(const Part& part, size_t begin);
/// The first step, from `begin` on, in front of which stands a decimal, behind the last step included; kNoStep.
size_t FirstDecimal(const Part& part, size_t begin);
/// Do both begin with the same `steps` steps?
bool BeginAlike(const Part& a, const Part& b, size_t steps);

/// Leading parts with a salt, `salt n` or `… mod n …`, when something else follows them: a reader must try every one.
size_t SaltParts(const Template& row);
/// The step that gives one of a few results.
std::optional<size_t> SaltStep(const Part& part);

}  // namespace fensi::mapping
