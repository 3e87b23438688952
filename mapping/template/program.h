// A compiled template: a flat list of parts, each a literal or a reference with the steps that are applied to it.
#pragma once

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
  };
  Kind kind = Kind::kRow;
  size_t slot = 0;   // kColumn, kColumnTime
  std::string name;  // canonical text: "f1:from@ts"

  bool IsBound() const { return kind >= Kind::kBoundFamily && kind <= Kind::kBoundTime; }
  bool IsColumn() const { return kind == Kind::kColumn || kind == Kind::kColumnTime; }
  bool IsTime() const { return kind == Kind::kColumnTime || kind == Kind::kBoundTime; }
  bool Same(const Reference& other) const { return kind == other.kind && slot == other.slot; }
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

/// What references stand for while one entry is made. Borrows everything.
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

}  // namespace fensi::mapping
