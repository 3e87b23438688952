#include "operations/code/code.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace fensi::operations {
namespace {

using mapping::PlannedKeyPart;
using mapping::PlannedPart;
using mapping::PlannedReference;
using mapping::PlannedStep;
using mapping::PlannedType;

// Those that templates/ has. Of each its version is 1: a file is of a definition, and the definition of a version.
constexpr std::array kRepeated = std::to_array<std::string_view>(
    {"first",      "last",    "slice",  "split",      "before",    "after",      "lower",      "upper",
     "trim",       "replace", "pad",    "fixed",      "reverse",   "terminated", "without",    "reverse_domain",
     "int",        "i64",     "i32",    "i16",        "i8",        "u64",        "u32",        "u16",
     "u8",         "i64_le",  "i32_le", "i16_le",     "u64_le",    "u32_le",     "u16_le",     "f64",
     "f32",        "f64_le",  "f32_le", "to_f64",     "to_f32",    "to_be",      "ordered",    "decimal",
     "hex",        "invert",  "add",    "sub",        "mul",       "div",        "mod",        "floor",
     "descending", "from_ms", "from_s", "from_us",    "from_ns",   "from_days",  "parse_time", "iso_time",
     "time",       "seconds", "millis", "floor_hour", "floor_day", "md5",        "sha1",       "sha256",
     "crc32",      "murmur3", "xxh64",  "salt",       "uuid",      "uuid_text"});

bool Repeats(std::string_view function) {
  return std::find(kRepeated.begin(), kRepeated.end(), function) != kRepeated.end();
}

/// Words of Java and Python that are no names, and names that the files have themselves.
bool IsTaken(std::string_view name) {
  static const std::set<std::string_view> kTaken = {"None",   "True",  "False", "INDEX",  "Query",    "and",    "as",
                                                    "async",  "await", "def",   "del",    "elif",     "except", "from",
                                                    "global", "in",    "is",    "lambda", "nonlocal", "not",    "or",
                                                    "pass",   "raise", "with",  "yield",  "start",    "stop"};
  return kTaken.contains(name) || IsWordOfJava(name);
}

/// In a part's name, where a family or qualifier may be quoted.
size_t FindUnquoted(std::string_view name, std::string_view what) {
  bool quoted = false;
  for (size_t i = 0; i < name.size(); ++i) {
    if (quoted && name[i] == '\\') {
      ++i;
      continue;
    }
    if (name[i] == '"') quoted = !quoted;
    if (!quoted && name.substr(i).starts_with(what)) return i;
  }
  return std::string_view::npos;
}

/// "o:seller" gives "seller", "f1:from@ts" gives "from_ts", "row | before #" gives "row", f:"a | b" gives "a_b".
std::string ParameterOf(std::string_view part) {
  const std::string_view reference = part.substr(0, FindUnquoted(part, " | "));
  const size_t colon = FindUnquoted(reference, ":");
  std::string name;
  for (const char c : colon == std::string_view::npos ? reference : reference.substr(colon + 1)) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name = "part_" + name;
  return IsTaken(name) ? name + "_" : name;
}

std::vector<std::string> ParametersOf(const mapping::ReaderPlan& plan) {
  std::vector<std::string> names;
  for (const PlannedKeyPart& part : plan.key) AddUnique(ParameterOf(part.name), &names);
  return names;
}

}  // namespace

void AddUnique(const std::string& name, std::vector<std::string>* names) {
  std::string unique = name;
  for (int n = 2; std::find(names->begin(), names->end(), unique) != names->end(); ++n) {
    unique = name + "_" + std::to_string(n);
  }
  names->push_back(std::move(unique));
}

std::string ParameterList(const CodedIndex& coded, size_t count, std::string_view type) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += (i > 0 ? ", " : "") + std::string(type) + coded.parameters[i];
  return out;
}

std::vector<std::string> PackageNames(std::string_view package) {
  std::vector<std::string> names;
  bool begins = true;
  for (const char c : package) {
    const bool separator = c == '.' || c == ':';
    if (!separator && begins) names.emplace_back();
    if (!separator) names.back() += c;
    begins = separator;
  }
  return names;
}

bool IsWordOfJava(std::string_view name) {
  static const std::set<std::string_view> kWords = {
      "abstract",  "assert",   "boolean",  "break",    "byte",    "case",         "catch",     "char",       "class",
      "const",     "continue", "default",  "do",       "double",  "else",         "enum",      "extends",    "final",
      "finally",   "float",    "for",      "goto",     "if",      "implements",   "import",    "instanceof", "int",
      "interface", "long",     "native",   "new",      "package", "private",      "protected", "public",     "return",
      "short",     "static",   "strictfp", "super",    "switch",  "synchronized", "this",      "throw",      "throws",
      "transient", "try",      "void",     "volatile", "while",   "true",         "false",     "null",       "_"};
  return kWords.contains(name);
}

Result<std::string> CodeFor(const mapping::Index& index, std::string_view language, const CodeSettings& settings) {
  if (language != "java" && language != "python" && language != "go" && language != "cpp") {
    return InvalidArgument("there is no code for '" + std::string(language) + "': write java, python, go or cpp");
  }
  if (language == "python" && !settings.package.empty()) {
    return InvalidArgument("--package is of java, go and cpp. Leave the flag out for " + std::string(language));
  }
  if (language == "cpp") FENSI_RETURN_IF_ERROR(CheckCppPackage(settings.package));
  if (language == "java") FENSI_RETURN_IF_ERROR(CheckJavaPackage(settings.package));
  CodedIndex coded{&index, mapping::PlanReader(index, Repeats), settings, {}};
  coded.parameters = ParametersOf(coded.plan);
  if (language == "go") return GoCode(coded);
  if (language == "cpp") coded.parameters = CppNames(coded.parameters);
  if (language == "cpp") return CppCode(coded);
  return language == "java" ? JavaCode(coded) : PythonCode(coded);
}

std::string_view TypeWord(PlannedType type) {
  constexpr std::array<std::string_view, 4> kWords = {"BYTES", "INTEGER", "TIME", "REAL"};
  return kWords[static_cast<size_t>(type)];
}

std::string_view InverseWord(PlannedStep::Inverse inverse) {
  constexpr std::array<std::string_view, 3> kWords = {"EXACT", "GOOD", "NONE"};
  return kWords[static_cast<size_t>(inverse)];
}

std::string_view OrderWord(PlannedStep::Order order) {
  constexpr std::array<std::string_view, 5> kWords = {"UP", "DOWN", "SIGNED", "UNSIGNED", "UNORDERED"};
  return kWords[static_cast<size_t>(order)];
}

std::string_view KindWord(PlannedReference::Kind kind) {
  constexpr std::array<std::string_view, 10> kWords = {"row",   "column", "column_time", "family", "qualifier",
                                                       "value", "time",   "item",        "stored", "stored_time"};
  return kWords[static_cast<size_t>(kind)];
}

std::string GivenText(const CodedIndex& coded, const PlannedKeyPart& key_part) {
  const PlannedPart& part = coded.plan.row[key_part.part];
  const PlannedReference& reference = *part.reference;
  using Kind = PlannedReference::Kind;
  std::string text = "text or bytes";
  const PlannedStep* step = key_part.steps < part.steps.size() ? &part.steps[key_part.steps] : nullptr;
  const bool reads = step != nullptr && step->function.size() <= 6 && step->function != "int" &&
                     step->in == PlannedType::kBytes && step->out != PlannedType::kBytes;
  if (reads && step->out == PlannedType::kInteger) text = "a whole number, or its bytes";
  if (reads && step->out == PlannedType::kReal) text = "a number, or its bytes";
  if (step != nullptr && step->function == "int") text = "a whole number, or its digits";
  if (reference.kind == Kind::kColumnTime || reference.kind == Kind::kTime) text = "a time, or its milliseconds";
  if (key_part.units) text += ", or a time";
  if (reference.kind == Kind::kStoredTime) {
    return "the STORED FORM, as a time or its milliseconds: what " + reference.name +
           " gives. This file cannot compute it";
  }
  if (reference.kind != Kind::kStored) return text;
  return "the STORED FORM, in bytes: what " + reference.name + " gives. This file cannot compute it";
}

std::string BytesLiteral(std::string_view bytes) {
  std::string out = "\"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += std::string("\\") + c;
    } else if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      for (const unsigned shift : {6U, 3U, 0U}) {
        if (shift == 6) out += '\\';
        out += static_cast<char>('0' + (byte >> shift & 7));
      }
    }
  }
  return out + "\"";
}

std::string NumberList(std::string_view begin, const std::vector<size_t>& numbers, std::string_view end) {
  std::string list;
  for (const size_t number : numbers) list += (list.empty() ? "" : ", ") + std::to_string(number);
  return std::string(begin) + list + std::string(end);
}

std::string JoinedSalts(const std::vector<std::string>& salts) {
  std::string out;
  for (const std::string& salt : salts) {
    out += static_cast<char>(salt.size() >> 8U);
    out += static_cast<char>(salt.size() & 0xFFU);
    out += salt;
  }
  return out;
}

std::vector<std::string> HeadLines(const CodedIndex& coded) {
  const mapping::Index& index = *coded.index;
  std::vector<std::string> lines = {"Reads index " + index.name() + " of fensi: table " + index.table() +
                                        (index.table_is_template() ? "…" : "") + ", of source table " +
                                        index.source_table() + ".",
                                    "",
                                    "Definition: " + index.fingerprint(),
                                    "Made by:    " + coded.settings.command,
                                    "Do not change it: make it again if the definition changes.",
                                    "",
                                    "The parts of a key:"};
  for (size_t i = 0; i < coded.plan.key.size(); ++i) {
    const PlannedKeyPart& part = coded.plan.key[i];
    lines.push_back("  " + coded.parameters[i] + ": " + part.name + ", " + GivenText(coded, part) + ".");
  }
  for (const std::string& stored : coded.plan.stored) {
    lines.push_back("  Not computed here: " + stored +
                    ". What the index holds of it is given and shown as it is stored.");
  }
  return lines;
}

std::string_view TemplateText(std::string_view name) {
  for (const CodeTemplate& one : CodeTemplates()) {
    if (one.name == name) return one.text;
  }
  return "";
}

}  // namespace fensi::operations
