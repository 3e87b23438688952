// The functions of the mapping language: one table entry each, used by the type check, the program that runs per event,
// the analysis of keys, the reference page and its tested examples.
#pragma once

#include <cstdint>
#include <initializer_list>
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

struct AvroPath;
struct ProtoPath;
class JsonPath;
struct KeyFields;

/// "bytes", "integer", "time", "list", "real", "decimal".
std::string_view TypeName(Type type);

/// A value in a template; its type is known when the template is compiled.
struct Value {
  std::string_view bytes;  // kBytes; lives as long as its source or the Scratch; kDecimal: as numbers_as_text.h says
  int64_t number = 0;      // kInteger; kTime: milliseconds since the epoch; kReal: its rank
  const std::vector<std::string_view>* list = nullptr;  // kList
};

enum class Outcome : uint8_t {
  kValue,
  kAbsent,      // there is no such part: as if the column were missing
  kUnmappable,  // there should be a value and cannot be; Scratch::reason has the reason
};

enum class ArgumentKind : uint8_t {
  kCount,       // 1..32767
  kIndex,       // 0..32767
  kWidth,       // 1..8
  kRealWidth,   // 4 or 8
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
  kRecord,      // a record of the schemas under `avros:`
  kRecordPath,  // of the record before it
  kSchemaId,    // 0..2147483647
  kJsonPath,    // names and positions
  kJsonItems,   // such a path, with [*] for all items of an array
  kChoice,      // one of Parameter::choices
  kFields,      // the types of a key's fields
  kLocale,      // a language, as BCP 47 writes it
  kCharacters,  // 1..12
  kScale,       // 0..10000
  kDefault,     // of the type of the value it replaces
};

struct Parameter {
  std::string_view name;
  ArgumentKind kind;
  bool optional = false;
  std::string_view choices = {};  // kChoice: words with blanks between them
};

struct Argument {
  std::string text;
  int64_t number = 0;  // kZone: minutes; kChoice: which one, from 0
  std::shared_ptr<const re2::RE2> regex;
  std::shared_ptr<const TimeZone> zone;     // kZone with a name
  std::shared_ptr<const ProtoPath> proto;   // kFieldPath
  std::shared_ptr<const AvroPath> avro;     // kRecordPath
  std::shared_ptr<const JsonPath> json;     // kJsonPath, kJsonItems
  std::shared_ptr<const KeyFields> fields;  // kFields
};
using Arguments = std::vector<Argument>;

struct Example {
  std::string_view steps;   // "| split \",\" 1"
  std::string_view input;   // escaped
  std::string_view output;  // escaped; "absent", or "unmappable"
};

enum class Category : uint8_t { kPieces, kOrder, kNumbers, kTime, kHashes, kIds, kPlaces, kEncodings, kText, kPacked };
/// As the reference page heads it: "order and width".
std::string_view CategoryName(Category category);

/// How exact the inverse of a result is.
enum class Inverse : uint8_t {
  kExact,  // the only value that gives this result
  kGood,   // one that gives this result; others may, too
  kNone,
};

/// Properties of a function that readers or rules about keys need.
enum class Role : uint8_t {
  kPlain,
  kChecks,       // returns its input, or refuses it
  kPiece,        // extracts a value of its own from another
  kDigits,       // writes a number in decimal digits, without arguments as many as it has
  kFills,        // pads on the left, with the second argument
  kReadsBytes,   // reads a number from all its bytes: people write the number
  kTurns,        // spreads growing values, and keeps nothing of their order
  kTurnsDomain,  // groups the pages of one domain
};

/// Numbers from `least` to `most`, and with a cycle all numbers that are multiples of it away.
struct Numbers {
  int64_t least = 0;
  int64_t most = 0;
  int64_t cycle = 0;
};

/// Properties on which readers of keys rely. An empty one claims nothing.
struct Reading {
  /// Replaces a result by a value that gives it.
  Inverse (*invert)(const Arguments& arguments, Value* value, Scratch* scratch) = nullptr;
  /// How exact that is, whatever the result: kGood finds a value whenever there is one.
  Inverse (*best)(const Arguments& arguments) = nullptr;
  /// If several numbers give one result: from results, numbers or these bytes, back to all of them. False: unknown.
  bool (*spread)(const Arguments& arguments, std::string_view bytes, Numbers* numbers) = nullptr;
  Direction (*order)(const Arguments& arguments) = nullptr;
  /// Replaces `apply` at a bound: the result at or below it, if the bound itself has none.
  Outcome (*below)(const Arguments& arguments, Value* value, Scratch* scratch) = nullptr;
  bool unsorted_text = false;  // kReadsBytes: its input sorts as its values do, and its texts do not
  bool reads_binary = false;   // kPiece: of bytes that nobody writes, so a lookup is given the piece
  bool gives_any = false;      // every value of its type is the result of one
  int64_t counts = 0;          // milliseconds per unit of its input numbers
  /// A salt: how many results there are, and the n-th in place of a value.
  int64_t (*salts)(const Arguments& arguments) = nullptr;
  void (*salt)(const Arguments& arguments, int64_t n, Value* value, Scratch* scratch) = nullptr;
  Role role = Role::kPlain;
};

struct Function {
  std::string_view name;
  Category category = Category::kPieces;
  std::vector<Parameter> parameters;
  unsigned inputs = 0;  // input Types, or-ed
  Outcome (*apply)(const Arguments& arguments, Value* value, Scratch* scratch) = nullptr;
  /// From the input's shape to the output's; call Settle after it.
  void (*shape)(const Arguments& arguments, Shape* shape) = nullptr;
  std::string_view takes;  // types in and out, for people: "bytes -> bytes"
  std::string_view summary;
  std::string_view errors;  // when it is absent or unmappable; empty: never
  Example example;
  Reading reading = {};
  int version = 1;          // raised if its values change: indexes with the old version must be rebuilt
  bool by_unicode = false;  // works by ICU's tables of Unicode: its values can change with another ICU
};

/// Every function, in the order of the reference page. Built once, immutable.
std::span<const Function> Functions();
/// The first function of that name; null: none.
const Function* FindFunction(std::string_view name);
/// Of several functions of that name the one that takes the type, or the first.
const Function* FindFunction(std::string_view name, Type type);
/// All types that functions of that name take, or-ed.
unsigned InputsOf(std::string_view name);

/// The groups, each in its own file.
std::vector<Function> PieceFunctions();
std::vector<Function> LetterFunctions();
std::vector<Function> OrderFunctions();
std::vector<Function> NumberFunctions();
std::vector<Function> RealFunctions();
std::vector<Function> DecimalFunctions();
std::vector<Function> ByteNumberFunctions();
std::vector<Function> ArithmeticFunctions();
std::vector<Function> TimeFunctions();
std::vector<Function> TimeTextFunctions();
std::vector<Function> HashFunctions();
std::vector<Function> IdFunctions();
std::vector<Function> UrlFunctions();
std::vector<Function> PlaceFunctions();
std::vector<Function> PhoenixFunctions();
std::vector<Function> OrderedBytesFunctions();
std::vector<Function> TextFunctions();
std::vector<Function> PackedFunctions();
std::vector<Function> ProtoFunctions();
std::vector<Function> AvroFunctions();

constexpr unsigned Takes(Type type) { return static_cast<unsigned>(type); }
constexpr unsigned Takes(Type a, Type b) { return Takes(a) | Takes(b); }

/// The functions of the groups, in this order.
std::vector<Function> AllOf(std::initializer_list<std::vector<Function> (*)()> groups);

/// Rounds down, also below zero. The divisor is positive.
template <typename Number>
constexpr Number FloorDivide(Number number, Number divisor) {
  return number / divisor - (number % divisor < 0 ? 1 : 0);
}

/// Width of a salt out of so many.
constexpr size_t SaltBytes(int64_t salts) { return salts <= 256 ? 1 : 2; }

/// kUnmappable with a reason.
Outcome Refuse(Scratch* scratch, std::string reason);
/// kUnmappable, because a value would become longer than kMostValueBytes, or all of a row's than kMostScratchBytes.
Outcome RefuseLength(Scratch* scratch);
/// kUnmappable, because of the number: "300 does not fit 1 byte".
Outcome RefuseNumber(Scratch* scratch, int64_t number, const std::string& what);
/// kUnmappable, because the value has another width than `wanted`, in bytes.
Outcome RefuseWidth(Scratch* scratch, std::string_view bytes, const std::string& wanted);
/// kUnmappable, because the unsigned number that is `shown` does not fit.
Outcome RefuseTooLarge(Scratch* scratch, const std::string& shown);
/// Reads the value's bytes as a number. `big_endian`: the same bytes in this order. Refuses another width, and an
/// unsigned number that does not fit.
Outcome ReadFixed(std::string_view big_endian, size_t width, bool is_signed, Value* v, Scratch* scratch);
/// A value for a message: quoted, escaped, long ones shortened with their length.
std::string Shown(std::string_view bytes);

}  // namespace fensi::mapping
