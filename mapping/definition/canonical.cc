#include <map>
#include <set>

#include "base/bytes.h"
#include "mapping/definition/checks.h"
#include "mapping/digest.h"
#include "mapping/functions/avro_schemas.h"
#include "mapping/functions/languages.h"
#include "mapping/functions/proto_path.h"
#include "mapping/functions/regex.h"
#include "mapping/functions/time_format.h"

namespace fensi::mapping {
namespace {

int32_t TtlOf(const CreateSpec& create, const std::string& family) {
  for (const FamilySpec& spec : create.families) {
    if (spec.name == family) return spec.ttl_seconds.value_or(0);
  }
  return 0;
}

// Two lists: a condition with a list, an expression or several tests was once read as one comparison with a long text.
void AddConditions(const std::vector<Condition>& conditions, std::string* out) {
  std::string plain;
  std::string others;
  for (const Condition& condition : conditions) {
    (condition.plain ? plain : others) += "  " + condition.canonical + "\n";
  }
  if (!plain.empty()) *out += "when:\n" + plain;
  if (!others.empty()) *out += "conditions:\n" + others;
}

// Two zones have the same rules if their clocks show the same at every instant. After the last change that a zone's
// file lists, its rules repeat every year.
std::string DigestOfZone(const TimeZone& zone) {
  constexpr int64_t kYear2200Millis = 7'258'118'400'000;
  int64_t offset = zone.OffsetSeconds(kYear0Millis);
  std::string rules = std::to_string(offset);
  for (auto at = zone.NextChange(kYear0Millis); at && *at < kYear2200Millis; at = zone.NextChange(*at)) {
    const int64_t next = zone.OffsetSeconds(*at);
    if (next != offset) rules += "\n" + std::to_string(*at) + " " + std::to_string(next);
    offset = next;
  }
  return Digest(rules);
}

// Everything outside of the text that decides what its functions give: versions of functions, messages of `protos:`,
// records of `avros:`, and tables of this machine.
class Meanings {
 public:
  explicit Meanings(const IndexDefinition& definition) {
    if (definition.table_template) Add(*definition.table_template);
    if (definition.each.list) Add(*definition.each.list);
    Add(definition.row);
    for (const ColumnRule& column : definition.columns) {
      Add(column.qualifier);
      Add(column.value);
    }
    for (const Condition& condition : definition.when) {
      ForEachTest(condition, [this](const Test& test) {
        Add(test.left);
        Add(test.right);
        if (test.regex != nullptr) AddRegex(*test.regex);
      });
    }
  }

  std::string Text() const {
    std::string out;
    if (!functions_.empty()) out += "functions:\n";
    for (const auto& [name, version] : functions_) {
      out += "  " + std::string(name) + " " + std::to_string(version) + "\n";
    }
    if (!messages_.empty()) out += "messages:\n";
    for (const auto& [name, digest] : messages_) out += "  " + name + " " + digest + "\n";
    if (!records_.empty()) out += "records of Avro:\n";
    for (const auto& [name, digest] : records_) out += "  " + name + " " + digest + "\n";
    if (!tables_.empty()) out += "tables of this machine:\n";
    for (const std::string& table : tables_) out += "  " + table + "\n";
    return out;
  }

  const std::set<std::string>& tables() const { return tables_; }

 private:
  void Add(const Template& program) {
    for (const Part& part : program.parts) {
      for (const Step& step : part.steps) AddStep(step);
      if (!part.IsLiteral() && part.reference->joined != nullptr) Add(*part.reference->joined);
    }
  }

  void AddStep(const Step& step) {
    // The first version is not named: definitions of indexes that exist stay as they were written.
    if (step.function != nullptr && step.function->version > 1)
      functions_[step.function->name] = step.function->version;
    if (step.function != nullptr && step.function->by_unicode) tables_.insert("ICU: Unicode " + UnicodeVersionOfIcu());
    for (const Argument& argument : step.arguments) {
      if (argument.regex != nullptr) AddRegex(*argument.regex);
      if (argument.zone != nullptr) tables_.insert("time zone " + argument.text + ": " + DigestOfZone(*argument.zone));
      if (const AvroPath* const avro = argument.avro.get()) {
        records_.try_emplace(avro->record->name, avro->digest);
      }
      if (const ProtoPath* const proto = argument.proto.get()) {
        messages_.try_emplace(proto->message->full_name(), proto->digest);
      }
    }
  }

  void AddRegex(const re2::RE2& regex) {
    for (const auto& [name, digest] : UnicodeClassesOf(regex)) tables_.insert("RE2: " + name + " " + digest);
  }

  std::map<std::string_view, int> functions_;
  std::map<std::string, std::string> messages_;
  std::map<std::string, std::string> records_;
  std::set<std::string> tables_;
};

// It ends at the first '=' behind a blank, outside of braces.
std::string QualifierText(const Template& qualifier) {
  std::string out;
  for (const Part& part : qualifier.parts) {
    for (size_t i = 0; i < part.text.size(); ++i) {
      const bool separates = part.IsLiteral() && part.text.substr(i, 2) == " =";
      out += separates ? "\\x20" : part.text.substr(i, 1);
    }
  }
  return out;
}

}  // namespace

std::string Canonical(const IndexDefinition& definition) {
  std::string out = "source: " + definition.source_table +
                    "\ntable: " + (definition.table_template ? definition.table_template->text : definition.table) +
                    "\n";
  if (!definition.each.text.empty()) out += "each: " + definition.each.text + "\n";
  out += "row: " + definition.row.text + "\ncolumns:\n";
  for (const ColumnRule& column : definition.columns) {
    out += "  " + EscapeAscii(column.family) + ":" + QualifierText(column.qualifier) + " = " + column.value.text;
    if (definition.expire_exactly) out += " for " + std::to_string(TtlOf(definition.create, column.family)) + "s";
    out += "\n";
  }
  AddConditions(definition.when, &out);
  if (definition.exists) {
    const Slot& slot = definition.slots[*definition.exists];
    // Key `requires:`. The stored word is another one: it is part of every fingerprint.
    out += "exists: " + ColumnReference(slot.family, slot.qualifier) + "\n";
  }
  if (definition.shared) out += "shared: true\n";
  if (definition.unique) out += "unique: true\n";
  if (definition.expire_exactly) out += "expire: exact\n";
  return out + Meanings(definition).Text();
}

std::vector<std::string> MachineTables(const IndexDefinition& definition) {
  const Meanings meanings(definition);
  return {meanings.tables().begin(), meanings.tables().end()};
}

}  // namespace fensi::mapping
