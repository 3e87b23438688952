#include <algorithm>
#include <optional>
#include <string>

#include "operations/code/code.h"

namespace fensi::operations {
namespace {

using mapping::PlannedColumn;
using mapping::PlannedKeyPart;
using mapping::PlannedPart;
using mapping::PlannedReference;
using mapping::PlannedStep;
using mapping::PlannedTemplate;
using Kind = PlannedReference::Kind;

/// A string of Java. A class has no constant above 65,535 bytes, and a sum of constants is one: longer ones are joined.
std::string JavaString(std::string_view bytes) {
  constexpr size_t kMostBytes = 20'000;
  if (bytes.size() <= kMostBytes) return BytesLiteral(bytes);
  std::string out = "String.join(\"\"";
  for (size_t at = 0; at < bytes.size(); at += kMostBytes) out += ", " + BytesLiteral(bytes.substr(at, kMostBytes));
  return out + ")";
}

std::string JavaBytes(std::string_view bytes) { return "latin(" + JavaString(bytes) + ")"; }

/// Text of UTF-8, which a file in ASCII has as bytes.
std::string JavaText(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) {
      return "new String(" + JavaBytes(text) + ", StandardCharsets.UTF_8)";
    }
  }
  return JavaString(text);
}

std::string_view JavaTruth(bool truth) { return truth ? "true" : "false"; }

std::string JavaNumbers(const std::vector<size_t>& numbers) { return NumberList("new int[] {", numbers, "}"); }

std::string JavaStep(const PlannedStep& step) {
  std::string out = "new Step(\"" + step.function + "\", Type." + std::string(TypeWord(step.in)) + ", Type." +
                    std::string(TypeWord(step.out)) + ", " + std::string(InverseWord(step.inverse)) + ", Order." +
                    std::string(OrderWord(step.order));
  for (const auto& argument : step.arguments) {
    const auto* number = std::get_if<int64_t>(&argument);
    out += ", ";
    // The least of all numbers is no literal with a sign in front.
    if (number != nullptr && *number == INT64_MIN) {
      out += "Long.MIN_VALUE";
    } else {
      out += number != nullptr ? std::to_string(*number) + "L" : JavaBytes(std::get<std::string>(argument));
    }
  }
  return out + ")";
}

std::string JavaReference(const PlannedReference& reference) {
  const bool column = reference.kind == Kind::kColumn || reference.kind == Kind::kColumnTime;
  const std::string place = JavaBytes(reference.family) + ", " + JavaBytes(reference.qualifier);
  return "new Reference(\"" + std::string(KindWord(reference.kind)) + "\", " + JavaText(reference.name) + ", " +
         (column ? place : "null, null") + ")";
}

/// Each with its length in two bytes in front: an array of them would be too much code for a class.
std::string JavaSalts(const std::vector<std::string>& salts) {
  if (salts.empty()) return "new byte[0][]";
  std::string joined;
  for (const std::string& salt : salts) {
    joined += static_cast<char>(salt.size() >> 8);
    joined += static_cast<char>(salt.size() & 255);
    joined += salt;
  }
  return "salts(" + JavaString(joined) + ")";
}

std::string JavaPart(const PlannedPart& part) {
  if (!part.reference) return "new Part(" + JavaBytes(part.literal) + ")";
  std::string out = "new Part(" + JavaReference(*part.reference) + ", new Step[] {";
  for (const PlannedStep& step : part.steps)
    out += (out.back() == '{' ? "\n          " : ",\n          ") + JavaStep(step);
  out += "}, null,\n          " + std::to_string(part.min_width);
  for (const bool truth : {part.fixed, part.terminated, part.ends_itself, part.readable}) {
    out += ", " + std::string(JavaTruth(truth));
  }
  return out + ", " + JavaSalts(part.salts) + ", " + JavaText(part.text) + ")";
}

std::string JavaTemplate(const PlannedTemplate& program) {
  std::string out = "new Part[] {";
  for (const PlannedPart& part : program) out += (out.back() == '{' ? "\n      " : ",\n      ") + JavaPart(part);
  return out + "}";
}

std::string JavaKey(const CodedIndex& coded) {
  std::string out = "  private static final KeyPart[] KEY = {";
  for (const PlannedKeyPart& part : coded.plan.key) {
    out += out.back() == '{' ? "\n      " : ",\n      ";
    out += "new KeyPart(" + JavaText(part.name) + ", " + std::to_string(part.part) + ", " + std::to_string(part.steps) +
           ", " + JavaNumbers(part.decides) + ", " + std::to_string(part.units.value_or(0)) + ", " +
           std::to_string(part.bounded_part) + ", " + JavaNumbers(part.alike) + ", " +
           (part.width ? std::to_string(*part.width) : "-1") + ")";
  }
  return out + "};\n";
}

/// A method of Java has at most 64 KiB of code: many columns are made by a method each.
std::string JavaColumns(const CodedIndex& coded) {
  constexpr size_t kMostInOneMethod = 50;
  const bool many = coded.plan.columns.size() > kMostInOneMethod;
  std::string out = "  private static final Column[] COLUMNS = {";
  std::string methods;
  for (const PlannedColumn& column : coded.plan.columns) {
    const std::string made = "new Column(" + JavaBytes(column.family) + ", " + JavaTemplate(column.qualifier) + ", " +
                             JavaTemplate(column.value) + ")";
    const std::string name = "column" + std::to_string(&column - coded.plan.columns.data()) + "()";
    out += (out.back() == '{' ? "\n      " : ",\n      ") + (many ? name : made);
    if (many) methods += "\n  private static Column " + name + " {\n    return " + made + ";\n  }\n";
  }
  return out + "};\n" + methods;
}

std::string JavaPeriod(const std::optional<mapping::PlannedPeriod>& period) {
  if (!period) return "null";
  return "new Period(" + JavaTemplate(period->table) + ",\n      " + JavaPart(period->time) + ", " +
         std::to_string(period->units.value_or(0)) + ", " +
         (period->key_part ? std::to_string(*period->key_part) : "-1") + ", " +
         std::string(JavaTruth(period->of_time_alone)) + ", " + std::to_string(period->step_millis) + ")";
}

std::string JavaWatched(const mapping::Index& index) {
  std::string out = "  private static final Watched[] WATCHED = {";
  for (const mapping::Watch& watch : index.watches()) {
    if (!watch.bound) continue;
    out += out.back() == '{' ? "" : ", ";
    out += "new Watched(" + JavaBytes(watch.family) + ", " + JavaBytes(watch.qualifier) + ", " +
           std::string(JavaTruth(watch.kind != mapping::Watch::Kind::kColumn)) + ")";
  }
  return out + "};\n";
}

/// False: the source's own columns do not say what the templates make, or how many entries a row has.
bool CanTell(const mapping::ReaderPlan& plan) {
  if (plan.of_items) return false;
  const auto told = [](const PlannedTemplate& program) {
    return std::none_of(program.begin(), program.end(),
                        [](const PlannedPart& part) { return part.reference && part.reference->kind >= Kind::kItem; });
  };
  bool all = told(plan.row) && (!plan.period || told(plan.period->table));
  for (const PlannedColumn& column : plan.columns) all = all && told(column.qualifier) && told(column.value);
  return all;
}

std::string JavaTable(const CodedIndex& coded) {
  const mapping::Index& index = *coded.index;
  const auto& required = coded.plan.required;
  const std::string constant = "  private static final ";
  return "  public static final String NAME = " + JavaText(index.name()) + ";\n" +
         "  /** Of the definition, as fensi_meta has it. */\n  public static final String DIGEST = " +
         JavaText(index.fingerprint()) + ";\n" + constant + "String TABLE = " + JavaText(index.table()) + ";\n" +
         constant + "String SOURCE = " + JavaText(index.source_table()) + ";\n" + constant +
         "boolean HAS_CONDITIONS = " + std::string(JavaTruth(coded.plan.has_conditions)) + ";\n" + constant +
         "boolean CAN_TELL = " + std::string(JavaTruth(CanTell(coded.plan))) + ";\n" + constant +
         "byte[][] REQUIRED = " +
         (required ? "{" + JavaBytes(required->first) + ", " + JavaBytes(required->second) + "}" : "null") + ";\n" +
         JavaWatched(index) + constant + "Part[] ROW = " + JavaTemplate(coded.plan.row) + ";\n" + JavaColumns(coded) +
         JavaKey(coded) + constant + "Period PERIOD = " + JavaPeriod(coded.plan.period) + ";\n";
}

std::string JavaFunctions(const CodedIndex& coded) {
  const size_t parts = coded.parameters.size();
  std::string out = "\n  /** The row key of these values. */\n  public static byte[] encodeKey(" +
                    ParameterList(coded, parts, "Object ") + ") {\n    return encode(" +
                    (parts == 1 ? "(Object) " : "") + ParameterList(coded, parts, "") + ");\n  }\n";
  for (size_t count = 0; count <= parts; ++count) {
    const std::string given = (count == 1 ? "given((Object) " : "given(") + ParameterList(coded, count, "") + ")";
    const std::string typed = ParameterList(coded, count, "Object ");
    out += "\n  /** Every entry whose key begins with these parts. */\n  public static Query prefix(" + typed +
           ") {\n    return new Query(" + given + ", null, null);\n  }\n";
    out +=
        "\n  /** Every entry with these parts, and the next one from `start`, inclusive, to `stop`, exclusive; null: "
        "no "
        "bound. */\n  public static Query between(" +
        typed + (count > 0 ? ", " : "") + "Object start, Object stop) {\n    return new Query(" + given +
        ", start, stop);\n  }\n";
  }
  return out;
}

std::string ClassName(const std::string& index) {
  std::string name;
  bool upper = true;
  for (const char c : index) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter) name += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = !letter;
  }
  const bool begins = !name.empty() && (name[0] < '0' || name[0] > '9');
  return (begins ? name : "The" + name) + "Index";
}

/// A line of a comment: ASCII, with nothing that ends it or that Java reads in it.
std::string Commented(std::string_view line) {
  std::string out;
  for (const char c : line) {
    if (c == '\\' || (c == '/' && !out.empty() && out.back() == '*')) out += c == '/' ? ' ' : '\\';
    out += c >= ' ' && c <= '~' ? c : '?';
  }
  return out;
}

}  // namespace

Status CheckJavaPackage(const std::string& package) {
  if (package.find(':') != std::string::npos) {
    return InvalidArgument("--package=" + package + " is no package of Java: join its names by dots, as com.example");
  }
  for (const std::string& name : PackageNames(package)) {
    if (IsWordOfJava(name)) {
      return InvalidArgument("--package: '" + name + "' is a word of Java: choose another name");
    }
  }
  return {};
}

std::string JavaCode(const CodedIndex& coded) {
  const std::string name = ClassName(coded.index->name());
  std::string out = coded.settings.package.empty() ? "" : "package " + coded.settings.package + ";\n\n";
  out += std::string(TemplateText("Head.java")) + "\n/**\n";
  for (const std::string& line : HeadLines(coded)) out += line.empty() ? " *\n" : " * " + Commented(line) + "\n";
  out +=
      " *\n * The file is " + name + ".java.\n */\npublic final class " + name + " {\n  private " + name + "() {}\n\n";
  for (const char* fixed : {"Steps.java", "Times.java", "Functions.java", "Keys.java", "Decode.java", "Bounds.java",
                            "Query.java", "Source.java", "Reader.java"}) {
    out += std::string(TemplateText(fixed)) + "\n";
  }
  return out + JavaTable(coded) + JavaFunctions(coded) + "\n" + std::string(TemplateText("Api.java")) + "}\n";
}

}  // namespace fensi::operations
