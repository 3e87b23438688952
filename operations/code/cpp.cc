#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "mapping/digest.h"
#include "operations/code/code.h"

namespace fensi::operations {
namespace {

using mapping::PlannedColumn;
using mapping::PlannedKeyPart;
using mapping::PlannedPart;
using mapping::PlannedReference;
using mapping::PlannedStep;
using mapping::PlannedTemplate;

/// Bytes of any kind. A question mark is escaped because two of them may begin a trigraph.
std::string CppBytes(std::string_view bytes) {
  std::string out;
  for (const char c : BytesLiteral(bytes)) out += c == '?' ? std::string("\\?") : std::string(1, c);
  return out + "sv";
}

std::string_view CppTruth(bool truth) { return truth ? "true" : "false"; }

std::string CppNumber(int64_t number) {
  // The least of all numbers is no literal with a sign in front.
  return number == INT64_MIN ? "r::kLeast" : "r::Number{" + std::to_string(number) + "}";
}

std::string CppNumbers(const std::vector<size_t>& numbers) { return NumberList("{", numbers, "}"); }

std::string CppStep(const PlannedStep& step) {
  constexpr std::array<std::string_view, 3> kInverses = {"kExact", "kGood", "kNone"};
  std::string out = "{\"" + step.function + "\"sv, r::Type::" + std::string(TypeWord(step.in)) +
                    ", r::Type::" + std::string(TypeWord(step.out)) +
                    ", r::" + std::string(kInverses[static_cast<size_t>(step.inverse)]) +
                    ", r::Order::" + std::string(OrderWord(step.order));
  for (const auto& argument : step.arguments) {
    const auto* number = std::get_if<int64_t>(&argument);
    out += ", " + (number != nullptr ? CppNumber(*number) : CppBytes(std::get<std::string>(argument)));
  }
  return out + "}";
}

std::string CppSalts(const std::vector<std::string>& salts) {
  if (salts.empty()) return "{}";
  return "r::Salts(" + CppBytes(JoinedSalts(salts)) + ")";
}

std::string CppPart(const PlannedPart& part) {
  if (!part.reference) return "r::Part(" + CppBytes(part.literal) + ")";
  std::string out = "r::Part({\"" + std::string(KindWord(part.reference->kind)) + "\"sv, " +
                    CppBytes(part.reference->name) + "},\n                {";
  for (const PlannedStep& step : part.steps) out += (out.back() == '{' ? "" : ",\n                 ") + CppStep(step);
  out += "},\n                " + std::to_string(part.min_width);
  for (const bool truth : {part.fixed, part.terminated, part.ends_itself, part.readable}) {
    out += ", " + std::string(CppTruth(truth));
  }
  return out + ", " + CppSalts(part.salts) + ", " + CppBytes(part.text) + ")";
}

std::string CppTemplate(const PlannedTemplate& program) {
  std::string out = "{";
  for (const PlannedPart& part : program) out += (out.size() > 1 ? ",\n       " : "") + CppPart(part);
  return out + "}";
}

std::string CppKey(const CodedIndex& coded) {
  std::string out = "{";
  for (const PlannedKeyPart& part : coded.plan.key) {
    out += out.size() > 1 ? ",\n       " : "";
    out += "{" + CppBytes(part.name) + ", " + std::to_string(part.part) + ", " + std::to_string(part.steps) + ", " +
           CppNumbers(part.decides) + ", " + CppNumber(part.units.value_or(0)) + ", " +
           std::to_string(part.bounded_part) + ", " + CppNumbers(part.alike) + ", " +
           (part.width ? std::to_string(*part.width) : "std::nullopt") + "}";
  }
  return out + "}";
}

std::string CppColumns(const CodedIndex& coded) {
  std::string out = "{";
  for (const PlannedColumn& column : coded.plan.columns) {
    out += out.size() > 1 ? ",\n       " : "";
    out += "{" + CppBytes(column.family) + ",\n       " + CppTemplate(column.qualifier) + ",\n       " +
           CppTemplate(column.value) + "}";
  }
  return out + "}";
}

std::string CppPeriod(const std::optional<mapping::PlannedPeriod>& period) {
  if (!period) return "std::nullopt";
  return "r::Period{" + CppTemplate(period->table) + ",\n       " + CppPart(period->time) + ",\n       " +
         CppNumber(period->units.value_or(0)) + ", " +
         (period->key_part ? std::to_string(*period->key_part) : "std::nullopt") + ", " +
         std::string(CppTruth(period->of_time_alone)) + ", " + CppNumber(period->step_millis) + "}";
}

/// A line of a comment: ASCII that does not continue on the next line. Another character is a question mark.
std::string CppComment(std::string_view line) {
  std::string out;
  for (const char c : line) {
    const bool follows = (static_cast<unsigned char>(c) & 0xC0) == 0x80;  // a later byte of a character
    if (!follows) out += c >= ' ' && c <= '~' ? c : '?';
  }
  if (!out.empty() && (out.back() == '\\' || out.back() == '/')) out += " .";
  return out.empty() ? "//\n" : "// " + out + "\n";
}

/// Words of C++, macros of its library, and names of the file.
bool IsTakenInCpp(std::string_view name) {
  constexpr std::string_view kTaken =
      " alignas alignof and and_eq asm assert auto bitand bitor bool break BUFSIZ case catch char "
      "char16_t char32_t char8_t class co_await co_return co_yield compl concept const const_cast "
      "consteval constexpr constinit continue decltype default Definition delete do double "
      "dynamic_cast else enum EOF errno explicit export extern false FILENAME_MAX float for friend "
      "goto HUGE_VAL i386 if INFINITY inline int linux long mutable namespace NAN new noexcept not "
      "not_eq NULL nullptr operator or or_eq private protected public Query r RAND_MAX register "
      "reinterpret_cast requires return SEEK_CUR SEEK_END SEEK_SET short signed sizeof start static "
      "static_assert static_cast std stderr stdin stdout stop struct switch template this thread_local "
      "throw TMP_MAX true try typedef typeid typename union unix unsigned using Value virtual void "
      "volatile wchar_t while xor xor_eq ";
  return kTaken.find(" " + std::string(name) + " ") != std::string_view::npos;
}

/// "orders-of.customer" gives "orders_of_customer_". Two underscores in a row are reserved.
std::string CppWord(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter) name += c;
    if (!letter && !name.empty() && name.back() != '_') name += '_';
  }
  if (!name.empty() && name.back() != '_') name += '_';
  return name;
}

/// Without a package the index gives its name.
std::vector<std::string> CppNamespaces(const CodedIndex& coded) {
  if (!coded.settings.package.empty()) return PackageNames(coded.settings.package);
  const std::string name = CppWord(coded.index->name());
  const bool begins = !name.empty() && (name[0] < '0' || name[0] > '9');
  return {(begins ? name : "the_" + name) + "index"};
}

std::string CppScope(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : "::") + name;
  return out;
}

/// The fixed text, the same for all indexes of this fensi: files of several indexes share it.
std::string CppFixedText() {
  std::string out;
  for (const char* name : {"steps.h.in", "texts.h.in", "hashes.h.in", "zones.h.in", "times.h.in", "functions.h.in",
                           "keys.h.in", "values.h.in", "decode.h.in", "bounds.h.in", "query.h.in"}) {
    out += "\n" + std::string(TemplateText(name));
  }
  return out;
}

/// Another text has another namespace, so that files of two versions of fensi live together.
std::string CppLibrary(std::string_view text) { return "fensi_reading_" + mapping::Digest(text).substr(0, 16); }

std::string CppFunctions(const CodedIndex& coded) {
  const size_t parts = coded.parameters.size();
  std::string out = "\n/// The row key of these values. Throws BadPart.\ninline std::string EncodeKey(" +
                    ParameterList(coded, parts, "const Value& ") + ") {\n  return r::Encode(Definition(), {" +
                    ParameterList(coded, parts, "") + "});\n}\n";
  for (size_t count = 0; count <= parts; ++count) {
    const std::string given = "r::Given({" + ParameterList(coded, count, "") + "})";
    const std::string typed = ParameterList(coded, count, "const Value& ");
    out += "\n/// Every entry whose key begins with these parts. Throws BadPart.\ninline Query Prefix(" + typed +
           ") {\n  return Query(Definition(), " + given + ", {}, {});\n}\n";
    out +=
        "\n/// Every entry with these parts, and the next one from `start`, inclusive, to `stop`, exclusive.\n"
        "/// std::nullopt: no such bound. Throws BadPart.\ninline Query Between(" +
        typed + (count > 0 ? ", " : "") + "const Value& start, const Value& stop) {\n  return Query(Definition(), " +
        given + ", start, stop);\n}\n";
  }
  return out;
}

std::string CppConstant(std::string_view comment, std::string_view name, std::string_view text) {
  return "/// " + std::string(comment) + "\ninline constexpr std::string_view " + std::string(name) + " = " +
         CppBytes(text) + ";\n";
}

std::string CppTable(const CodedIndex& coded) {
  const mapping::Index& index = *coded.index;
  return CppConstant("The name of the index.", "kName", index.name()) +
         CppConstant("The digest of the definition, as fensi_meta has it.", "kDigest", index.fingerprint()) +
         CppConstant("The index table. Of tables for each period, the beginning of their names.", "kTable",
                     index.table()) +
         CppConstant("The source table.", "kSource", index.source_table()) +
         "\n/// The parts of the index, as `fensi code` found them in the mapping file.\n"
         "inline const r::Index& Definition() {\n  static const r::Index kIndex{\n      kName, kTable,\n      " +
         CppTemplate(coded.plan.row) + ",\n      " + CppColumns(coded) + ",\n      " + CppKey(coded) + ",\n      " +
         CppPeriod(coded.plan.period) + "};\n  return kIndex;\n}\n";
}

}  // namespace

Status CheckCppPackage(const std::string& package) {
  for (const std::string& name : PackageNames(package)) {
    const bool reserved = name.find("__") != std::string::npos || name[0] == '_' || IsTakenInCpp(name);
    if (reserved) return InvalidArgument("--package: '" + name + "' is a word of C++ or reserved: choose another name");
  }
  return {};
}

std::vector<std::string> CppNames(const std::vector<std::string>& parameters) {
  std::vector<std::string> names;
  for (const std::string& parameter : parameters) AddUnique(CppWord(parameter) + "part", &names);
  return names;
}

std::string CppCode(const CodedIndex& coded) {
  const std::string fixed = CppFixedText();
  const std::string library = CppLibrary(fixed);
  const std::string name = CppScope(CppNamespaces(coded));
  const std::string contents = "\nnamespace r = ::" + library + ";\nusing namespace std::string_view_literals;\n" +
                               std::string(TemplateText("names.h.in")) + "\n" + CppTable(coded) + CppFunctions(coded) +
                               "\n" + std::string(TemplateText("api.h.in"));
  // Other contents have other symbols, so that the linker never takes a function of another file for them.
  const std::string version = "index_" + CppWord(coded.index->name()) + mapping::Digest(contents).substr(0, 16);
  std::string out;
  for (const std::string& line : HeadLines(coded)) out += CppComment(line);
  out += "//\n// All is in namespace " + name +
         ". Give each index a namespace of its own (--package).\n#pragma once\n\n" +
         std::string(TemplateText("head.h.in")) + "\n// The same in the files of all indexes.\n#ifndef " + library +
         "_included\n#define " + library + "_included\nnamespace " + library + " {\n" + fixed + "\n}  // namespace " +
         library + "\n#endif\n\nnamespace " + name + " {\ninline namespace " + version + " {\n" + contents;
  return out + "\n}  // namespace " + version + "\n}  // namespace " + name + "\n";
}

}  // namespace fensi::operations
