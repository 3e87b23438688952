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

std::string PythonBytes(std::string_view bytes) { return "b" + BytesLiteral(bytes); }

/// Text of any language. Quotes and backslashes are escaped, and so is what is no letter.
std::string PythonText(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const bool escaped = c == '"' || c == '\\';
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7F') {
      constexpr char kDigits[] = "0123456789abcdef";
      out += std::string("\\x") + kDigits[static_cast<unsigned char>(c) >> 4] + kDigits[c & 15];
    } else {
      out += escaped ? std::string("\\") + c : std::string(1, c);
    }
  }
  return out + "\"";
}

std::string PythonNumber(const std::optional<int64_t>& number) { return number ? std::to_string(*number) : "None"; }
std::string PythonTruth(bool truth) { return truth ? "True" : "False"; }

std::string PythonNumbers(const std::vector<size_t>& numbers) { return NumberList("[", numbers, "]"); }

std::string PythonStep(const PlannedStep& step) {
  std::string out = "Step(\"" + step.function + "\"";
  for (const std::string_view word :
       {TypeWord(step.in), TypeWord(step.out), InverseWord(step.inverse), OrderWord(step.order)}) {
    out += ", " + std::string(word);
  }
  for (const auto& argument : step.arguments) {
    const auto* number = std::get_if<int64_t>(&argument);
    out += ", " + (number != nullptr ? std::to_string(*number) : PythonBytes(std::get<std::string>(argument)));
  }
  return out + ")";
}

std::string PythonReference(const PlannedReference& reference) {
  std::string out = "Reference(\"" + std::string(KindWord(reference.kind)) + "\", " + PythonText(reference.name);
  const bool column = !reference.family.empty();
  if (column) out += ", (" + PythonBytes(reference.family) + ", " + PythonBytes(reference.qualifier) + ")";
  return out + ")";
}

std::string PythonPart(const PlannedPart& part) {
  if (!part.reference)
    return "Part(None, literal=" + PythonBytes(part.literal) + ", width=" + std::to_string(part.literal.size()) + ")";
  std::string out = "Part(" + PythonReference(*part.reference);
  for (const PlannedStep& step : part.steps) out += ",\n             " + PythonStep(step);
  out += ",\n             ";
  if (part.fixed) out += "width=" + std::to_string(part.min_width) + ", ";
  out += "min_width=" + std::to_string(part.min_width) + ", terminated=" + PythonTruth(part.terminated) +
         ", ends_itself=" + PythonTruth(part.ends_itself) + ", readable=" + PythonTruth(part.readable);
  if (!part.salts.empty()) {
    out += ", salts=[";
    for (const std::string& salt : part.salts) out += (out.back() == '[' ? "" : ", ") + PythonBytes(salt);
    out += "]";
  }
  return out + ",\n             text=" + PythonText(part.text) + ")";
}

std::string PythonTemplate(const PlannedTemplate& program) {
  std::string out = "[";
  for (const PlannedPart& part : program) out += (out.size() > 1 ? ",\n        " : "") + PythonPart(part);
  return out + "]";
}

std::string PythonKeyPart(const PlannedKeyPart& part) {
  return "KeyPart(" + PythonText(part.name) + ", " + std::to_string(part.part) + ", " + std::to_string(part.steps) +
         ", " + PythonNumbers(part.decides) + ", " + PythonNumber(part.units) + ", " +
         std::to_string(part.bounded_part) + ", " + PythonNumbers(part.alike) +
         (part.width ? ", width=" + std::to_string(*part.width) : "") + ")";
}

std::string PythonPeriod(const mapping::PlannedPeriod& period) {
  const std::optional<int64_t> key_part =
      period.key_part ? std::optional(static_cast<int64_t>(*period.key_part)) : std::nullopt;
  return "Period(\n        " + PythonTemplate(period.table) + ",\n        " + PythonPart(period.time) + ",\n        " +
         PythonNumber(period.units) + ", " + PythonNumber(key_part) + ", " + PythonTruth(period.of_time_alone) + ", " +
         std::to_string(period.step_millis) + ")";
}

std::string PythonWatched(const mapping::Index& index) {
  std::string out = "[";
  for (const mapping::Watch& watch : index.watches()) {
    if (!watch.bound) continue;
    out += (out.size() > 1 ? ", (" : "(") + PythonBytes(watch.family) + ", " + PythonBytes(watch.qualifier) + ", " +
           PythonTruth(watch.kind != mapping::Watch::Kind::kColumn) + ")";
  }
  return out + "]";
}

std::string PythonIndex(const CodedIndex& coded) {
  const mapping::Index& index = *coded.index;
  std::string out = "INDEX = Index(\n    " + PythonText(index.name()) + ", " + PythonText(index.fingerprint()) +
                    ",\n    " + PythonText(index.table()) + ", " + PythonText(index.source_table()) +
                    ",\n    row=" + PythonTemplate(coded.plan.row) + ",\n    columns=[";
  for (const PlannedColumn& column : coded.plan.columns) {
    if (out.back() != '[') out += ",\n             ";
    out += "Column(" + PythonBytes(column.family) + ",\n        " + PythonTemplate(column.qualifier) + ",\n        " +
           PythonTemplate(column.value) + ")";
  }
  out += "],\n    key=[";
  for (const PlannedKeyPart& part : coded.plan.key)
    out += (out.back() == '[' ? "" : ",\n         ") + PythonKeyPart(part);
  out += "]";
  if (coded.plan.period) out += ",\n    period=" + PythonPeriod(*coded.plan.period);
  if (coded.plan.required) {
    out += ",\n    required=(" + PythonBytes(coded.plan.required->first) + ", " +
           PythonBytes(coded.plan.required->second) + ")";
  }
  return out + ",\n    conditions=" + PythonTruth(coded.plan.has_conditions) + ", watched=" + PythonWatched(index) +
         ", of_items=" + PythonTruth(coded.plan.of_items) + ")\n";
}

/// "seller, time, row", or with defaults "seller=None, time=None, row=None".
std::string PythonParameters(const CodedIndex& coded, bool optional) {
  std::string out;
  for (const std::string& name : coded.parameters) out += (out.empty() ? "" : ", ") + name + (optional ? "=None" : "");
  return out;
}

std::string PythonFunctions(const CodedIndex& coded) {
  const std::string all = "[" + PythonParameters(coded, false) + "]";
  const std::string given = PythonParameters(coded, true);
  return "\n\ndef encode_key(" + PythonParameters(coded, false) +
         "):\n    \"\"\"The row key of these values.\"\"\"\n    return _encode(" + all + ")\n\n\ndef prefix(" + given +
         "):\n    \"\"\"Every entry whose key begins with these parts. Later ones may be left out.\"\"\"\n"
         "    return Query(INDEX, _given(" +
         all + "), None, None)\n\n\ndef between(" + given + (given.empty() ? "*" : ", *") +
         ", start=None, stop=None):\n"
         "    \"\"\"Every entry with these parts, and the next one from `start`, inclusive, to `stop`, "
         "exclusive.\"\"\"\n"
         "    return Query(INDEX, _given(" +
         all + "), start, stop)\n\n\n";
}

}  // namespace

std::string PythonCode(const CodedIndex& coded) {
  std::string out = "\"\"\"";
  for (const std::string& line : HeadLines(coded)) {
    const std::string text = PythonText(line);
    out += (out.size() > 3 ? "\n" : "") + text.substr(1, text.size() - 2);
  }
  out += "\n\"\"\"\n" + std::string(TemplateText("head.py"));
  for (const char* name : {"steps.py", "times.py", "functions.py", "keys.py", "decode.py", "bounds.py", "query.py",
                           "source.py", "reader.py"}) {
    out += "\n" + std::string(TemplateText(name)) + "\n";
  }
  return out + "\n" + PythonIndex(coded) + PythonFunctions(coded) + std::string(TemplateText("api.py"));
}

}  // namespace fensi::operations
