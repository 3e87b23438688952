#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "operations/code/code.h"

namespace fensi::operations {
namespace {

using mapping::PlannedColumn;
using mapping::PlannedKeyPart;
using mapping::PlannedPart;
using mapping::PlannedStep;
using mapping::PlannedTemplate;

bool IsGoKeyword(std::string_view name) {
  static const std::set<std::string_view> kKeywords = {
      "break", "case",   "chan",   "const",  "continue", "default", "defer",     "else", "fallthrough",
      "for",   "func",   "go",     "goto",   "if",       "import",  "interface", "map",  "package",
      "range", "return", "select", "struct", "switch",   "type",    "var",       "_",    "init"};
  return kKeywords.contains(name);
}

std::string GoBytes(std::string_view bytes) { return "[]byte(" + BytesLiteral(bytes) + ")"; }
std::string GoTruth(bool truth) { return truth ? "true" : "false"; }

/// "type" and "BYTES" give "typeBytes".
std::string GoWord(std::string_view kind, std::string_view word) {
  std::string out = std::string(kind) + word[0];
  for (const char c : word.substr(1)) out += static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string GoNumbers(const std::vector<size_t>& numbers) { return NumberList("[]int{", numbers, "}"); }

std::string GoStep(const PlannedStep& step) {
  std::string out = "{\"" + step.function + "\", " + GoWord("type", TypeWord(step.in)) + ", " +
                    GoWord("type", TypeWord(step.out)) + ", " + GoWord("inverse", InverseWord(step.inverse)) + ", " +
                    GoWord("order", OrderWord(step.order)) + ", ";
  if (step.arguments.empty()) return out + "nil}";
  out += "[]any{";
  for (const auto& argument : step.arguments) {
    const auto* number = std::get_if<int64_t>(&argument);
    out += out.back() == '{' ? "" : ", ";
    out += number != nullptr ? "int64(" + std::to_string(*number) + ")" : GoBytes(std::get<std::string>(argument));
  }
  return out + "}}";
}

/// `indent`: tabs of the line that it begins on.
std::string GoPart(const PlannedPart& part, const std::string& indent) {
  if (!part.reference) return "literalPart(" + BytesLiteral(part.literal) + ")";
  std::string out = "referencePart(" + BytesLiteral(KindWord(part.reference->kind)) + ", " +
                    BytesLiteral(part.reference->name) + ", ";
  out += part.steps.empty() ? "nil" : "[]step{\n";
  for (const PlannedStep& step : part.steps) out += indent + "\t" + GoStep(step) + ",\n";
  if (!part.steps.empty()) out += indent + "}";
  out += ", " + std::to_string(part.min_width);
  for (const bool truth : {part.fixed, part.terminated, part.ends_itself, part.readable}) out += ", " + GoTruth(truth);
  return out + ", " + BytesLiteral(JoinedSalts(part.salts)) + ", " + BytesLiteral(part.text) + ")";
}

std::string GoTemplate(const PlannedTemplate& program, const std::string& indent) {
  if (program.empty()) return "[]*part{}";
  std::string out = "[]*part{\n";
  for (const PlannedPart& part : program) out += indent + "\t" + GoPart(part, indent + "\t") + ",\n";
  return out + indent + "}";
}

std::string GoColumns(const CodedIndex& coded) {
  std::string out = "var columnTemplates = []columnTemplate{\n";
  for (const PlannedColumn& column : coded.plan.columns) {
    out += "\t{" + BytesLiteral(column.family) + ", " + GoTemplate(column.qualifier, "\t") + ", " +
           GoTemplate(column.value, "\t") + "},\n";
  }
  return out + "}\n";
}

std::string GoKey(const CodedIndex& coded) {
  std::string out = "var keyParts = []keyPart{\n";
  for (const PlannedKeyPart& part : coded.plan.key) {
    out += "\t{" + BytesLiteral(part.name) + ", " + std::to_string(part.part) + ", " + std::to_string(part.steps) +
           ", " + GoNumbers(part.decides) + ", " + std::to_string(part.units.value_or(0)) + ", " +
           std::to_string(part.bounded_part) + ", " + GoNumbers(part.alike) + ", " +
           (part.width ? std::to_string(*part.width) : "-1") + "},\n";
  }
  return out + "}\n";
}

std::string GoPeriod(const std::optional<mapping::PlannedPeriod>& period) {
  if (!period) return "var period *tablePeriod\n";
  return "var period = &tablePeriod{" + GoTemplate(period->table, "") + ", " + GoPart(period->time, "") + ", " +
         std::to_string(period->units.value_or(0)) + ", " +
         (period->key_part ? std::to_string(*period->key_part) : "-1") + ", " + GoTruth(period->of_time_alone) + ", " +
         std::to_string(period->step_millis) + "}\n";
}

/// A line of a comment, in ASCII.
std::string GoCommented(std::string_view line) {
  constexpr std::string_view kDots = "…";
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (line.substr(i).starts_with(kDots)) {
      out += "...";
      i += kDots.size() - 1;
    } else {
      out += c >= ' ' && c <= '~' ? c : '?';
    }
  }
  return out;
}

/// "seller_id" gives "SellerID". Names that are equal then get numbers.
std::vector<std::string> GoFields(const std::vector<std::string>& parameters) {
  static const std::set<std::string> kInitials = {"id", "ip", "uid", "uri", "url", "uuid"};
  std::vector<std::string> fields;
  for (const std::string& parameter : parameters) {
    std::string field;
    for (size_t begin = 0; begin < parameter.size();) {
      const size_t end = std::min(parameter.find('_', begin), parameter.size());
      std::string word = parameter.substr(begin, end - begin);
      const bool initials = kInitials.contains(word);
      for (size_t i = 0; i < word.size(); ++i) {
        if ((i == 0 || initials) && word[i] >= 'a' && word[i] <= 'z') word[i] = static_cast<char>(word[i] - 'a' + 'A');
      }
      field += word;
      begin = end + 1;
    }
    std::string unique = field;
    for (int n = 2; std::find(fields.begin(), fields.end(), unique) != fields.end(); ++n) {
      unique = field + "Part" + std::to_string(n);
    }
    fields.push_back(std::move(unique));
  }
  return fields;
}

std::string GoParts(const CodedIndex& coded) {
  std::string out =
      "// Parts are those of a row key, first to last. A text is a string or []byte, a number of any type of Go, and "
      "a\n"
      "// time a time.Time. A part that is nil is left out.\ntype Parts struct";
  if (coded.parameters.empty()) {
    return out + "{}\n\nfunc (p Parts) all() []any {\n\treturn nil\n}\n";
  }
  out += " {\n";
  std::string all;
  for (size_t i = 0; i < coded.parameters.size(); ++i) {
    const std::string& field = coded.parameters[i];
    const PlannedKeyPart& part = coded.plan.key[i];
    out += std::string(i > 0 ? "\n" : "") + "\t// " + field + " is " +
           GoCommented(part.name + ": " + GivenText(coded, part)) + ".\n\t" + field + " any\n";
    all += (i > 0 ? ", p." : "p.") + field;
  }
  return out + "}\n\nfunc (p Parts) all() []any {\n\treturn []any{" + all + "}\n}\n";
}

std::string GoTable(const CodedIndex& coded) {
  const mapping::Index& index = *coded.index;
  const std::string table =
      index.table_is_template() ? "begins the names of the index tables, one for each period" : "is the index table";
  return "const (\n\t// Name is that of the index.\n\tName = " + BytesLiteral(index.name()) +
         "\n\n\t// Digest is that of the definition, as fensi_meta has it.\n\tDigest = " +
         BytesLiteral(index.fingerprint()) + "\n\n\t// Table " + table + ".\n\tTable = " + BytesLiteral(index.table()) +
         "\n\n\t// SourceTable has the rows that the index is made of.\n\tSourceTable = " +
         BytesLiteral(index.source_table()) + "\n)\n\nvar rowTemplate = " + GoTemplate(coded.plan.row, "") + "\n\n" +
         GoColumns(coded) + "\n" + GoKey(coded) + "\n" + GoPeriod(coded.plan.period) + "\n" + GoParts(coded);
}

/// "orders-of-customer" gives "ordersofcustomer": packages of Go have short names in small letters.
std::string DefaultPackage(const std::string& index) {
  std::string name;
  for (const char c : index) {
    if (c >= 'A' && c <= 'Z') name += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) name += c;
  }
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name = "index" + name;
  return IsGoKeyword(name) || name == "main" ? name + "index" : name;
}

}  // namespace

Result<std::string> GoCode(const CodedIndex& given) {
  CodedIndex coded = given;
  coded.parameters = GoFields(given.parameters);
  const std::string& asked = coded.settings.package;
  if (asked.find_first_of(".:") != std::string::npos || IsGoKeyword(asked)) {
    return InvalidArgument("--package=" + asked + " is no name of a Go package: give one word, as --package=orders");
  }
  const std::string package = asked.empty() ? DefaultPackage(coded.index->name()) : asked;
  std::string out = "// Code generated by fensi code. DO NOT EDIT.\n//\n";
  for (const std::string& line : HeadLines(coded)) out += line.empty() ? "//\n" : "// " + GoCommented(line) + "\n";
  out += "\n// Package " + package + " encodes and decodes the row keys of index " + GoCommented(coded.index->name()) +
         ", and says what to scan.\npackage " + package + "\n\n" + std::string(TemplateText("head.go")) + "\n" +
         GoTable(coded);
  for (const char* fixed : {"api.go", "query.go", "given.go", "bounds.go", "intervals.go", "keys.go", "decode.go",
                            "functions.go", "texts.go", "times.go", "steps.go"}) {
    out += "\n" + std::string(TemplateText(fixed));
  }
  return out;
}

}  // namespace fensi::operations
