// What a program that reads an index must know of it, in a form that any language can express: the parts of its
// templates with the steps that make them, and how the parts of a key are given and bounded.
//
// A step that the program cannot repeat ends what it knows of the source: the part is then one of the stored form,
// the value behind that step. Pure; owns everything.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "mapping/index.h"

namespace fensi::mapping {

enum class PlannedType : uint8_t { kBytes, kInteger, kTime, kReal };

struct PlannedStep {
  enum class Inverse : uint8_t { kExact, kGood, kNone };
  /// kSigned: negative numbers after all others. kUnsigned: so too, but there are none.
  enum class Order : uint8_t { kUp, kDown, kSigned, kUnsigned, kNone };

  std::string function;  // "default" too
  std::vector<std::variant<int64_t, std::string>> arguments;
  PlannedType in = PlannedType::kBytes;
  PlannedType out = PlannedType::kBytes;
  Inverse inverse = Inverse::kNone;
  Order order = Order::kNone;
};

/// Where a value comes from.
struct PlannedReference {
  enum class Kind : uint8_t {
    kRow,
    kColumn,
    kColumnTime,
    kFamily,
    kQualifier,
    kValue,
    kTime,
    kItem,
    kStored,
    kStoredTime
  };
  Kind kind = Kind::kRow;
  std::string name;  // "o:seller"; of a stored form with the steps that made it
  std::string family;
  std::string qualifier;  // kColumn, kColumnTime
};

/// A literal has no reference.
struct PlannedPart {
  std::string literal;
  std::optional<PlannedReference> reference;
  std::vector<PlannedStep> steps;
  std::string text;  // as the mapping has it: "{o:seller | terminated}"
  size_t min_width = 0;
  bool fixed = false;
  bool terminated = false;
  bool ends_itself = false;
  bool readable = false;           // can be found in the bytes of its template
  std::vector<std::string> salts;  // in front of a key: what it can be; empty: no salt, or too many
};

using PlannedTemplate = std::vector<PlannedPart>;

struct PlannedColumn {
  std::string family;
  PlannedTemplate qualifier;
  PlannedTemplate value;
};

/// A part of the key as a reader gives it.
struct PlannedKeyPart {
  std::string name;
  size_t part = 0;               // of the row template, the first that it decides
  size_t steps = 0;              // taken before the reader's value
  std::vector<size_t> decides;   // parts of the row template
  std::optional<int64_t> units;  // milliseconds of one of its numbers, if they are times
  size_t bounded_part = 0;       // the part whose steps say how bounds are read
  std::vector<size_t> alike;     // of `decides`: bounds are read by them as by `bounded_part`
  std::optional<size_t> width;   // bytes of the reader's value, if it is a stored form that always has as many
};

struct PlannedPeriod {
  PlannedTemplate table;
  PlannedPart time;  // the steps that give the time in the table's name
  std::optional<int64_t> units;
  std::optional<size_t> key_part;  // that holds the same reference
  bool of_time_alone = false;
  int64_t step_millis = 0;  // a name is the same for at least so long
};

struct ReaderPlan {
  PlannedTemplate row;
  std::vector<PlannedColumn> columns;
  std::vector<PlannedKeyPart> key;
  std::optional<PlannedPeriod> period;
  std::optional<std::pair<std::string, std::string>> required;  // a column without which there is no entry
  bool has_conditions = false;
  bool of_items = false;            // `each:` over a list: a row without items has no entry, whatever the templates use
  std::vector<std::string> stored;  // names of the stored forms
};

/// `repeats`: can the program run the function of that name?
ReaderPlan PlanReader(const Index& index, const std::function<bool(std::string_view)>& repeats);

}  // namespace fensi::mapping
