// The functions of the mapping language: one table entry each, from which come the type check, the program that runs
// per event, the analysis of keys, the reference page and its tested examples.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/environment.h"
#include "mapping/functions/scratch.h"
#include "mapping/functions/shape.h"

namespace re2 {
class RE2;
}

namespace fensi::mapping {

struct ProtoPath;

/// "bytes", "integer", "time", "list".
std::string_view TypeName(Type type);

/// What flows through a template; which member counts is known when the template is compiled.
struct Value {
  std::string_view bytes;                               // kBytes; lives as long as its source or the Scratch
  int64_t number = 0;                                   // kInteger; kTime: milliseconds since the epoch
  const std::vector<std::string_view>* list = nullptr;  // kList
};

enum class Outcome : uint8_t {
  kValue,
  kAbsent,      // there is no such piece: as if the column were missing
  kUnmappable,  // there should be a value and cannot be; Scratch::reason says why
};

enum class ArgumentKind : uint8_t {
  kCount,       // 1..32767
  kIndex,       // 0..32767
  kWidth,       // 1..8
  kNumber,      // any 64-bit number
  kDivisor,     // 1..INT64_MAX
  kText,        // at least one byte
  kAnyText,     // may be empty
  kByte,        // exactly one byte
  kRegex,       // /.../
  kGroup,       // a group of the regular expression before it
  kFormat,      // a time format
  kReadFormat,  // a time format that says which instant is meant
  kZone,        // UTC, an offset like +08:00, or a name like Asia/Shanghai
  kMessage,     // a message of the descriptors under `protos:`
  kFieldPath,   // of the message before it
  kDefault,     // of the type of the value it replaces
};

struct Parameter {
  std::string_view name;
  ArgumentKind kind;
  bool optional = false;
};

struct Argument {
  std::string text;
  int64_t number = 0;  // kZone: minutes
  std::shared_ptr<const re2::RE2> regex;
  std::shared_ptr<const TimeZone> zone;    // kZone with a name
  std::shared_ptr<const ProtoPath> proto;  // kFieldPath
};
using Arguments = std::vector<Argument>;

struct Example {
  std::string_view steps;   // "| split \",\" 1"
  std::string_view input;   // escaped
  std::string_view output;  // escaped; "absent", or "unmappable"
};

struct Function {
  std::string_view name;
  std::string_view group;
  std::vector<Parameter> parameters;
  unsigned inputs = 0;  // Types it takes, or-ed
  Outcome (*apply)(const Arguments& arguments, Value* value, Scratch* scratch) = nullptr;
  /// From the input's shape to the output's; Settle belongs behind it.
  void (*shape)(const Arguments& arguments, Shape* shape) = nullptr;
  std::string_view takes;  // types in and out, for people: "bytes -> bytes"
  std::string_view summary;
  std::string_view errors;  // when it is absent or unmappable; empty: never
  Example example;
  int version = 1;  // raised when it gives other values than before: indexes made with the old one are to be built anew
};

/// Every function, in the order of the reference page. Built once, immutable.
std::span<const Function> Functions();
/// Null when there is none of that name.
const Function* FindFunction(std::string_view name);

/// The groups, each in its own file.
std::vector<Function> PieceFunctions();
std::vector<Function> OrderFunctions();
std::vector<Function> NumberFunctions();
std::vector<Function> ArithmeticFunctions();
std::vector<Function> TimeFunctions();
std::vector<Function> HashFunctions();
std::vector<Function> PackedFunctions();
std::vector<Function> ProtoFunctions();

constexpr unsigned Takes(Type type) { return static_cast<unsigned>(type); }
constexpr unsigned Takes(Type a, Type b) { return Takes(a) | Takes(b); }

/// kUnmappable with a reason.
Outcome Refuse(Scratch* scratch, std::string reason);
/// kUnmappable, because a value would become longer than kMostValueBytes, or all of a row's than kMostScratchBytes.
Outcome RefuseLength(Scratch* scratch);
/// A value for a message: quoted, escaped, long ones shortened with their length.
std::string Shown(std::string_view bytes);

}  // namespace fensi::mapping
