#include <map>

#include "base/bytes.h"
#include "mapping/definition/checks.h"
#include "mapping/digest.h"
#include "mapping/functions/proto_path.h"

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

// Everything outside of the text that decides what its functions give: versions of functions, and messages of
// `protos:`.
class Meanings {
 public:
  void Add(const Template& program) {
    for (const Part& part : program.parts) {
      for (const Step& step : part.steps) AddStep(step);
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
    return out;
  }

 private:
  void AddStep(const Step& step) {
    // The first version is not named: definitions of indexes that exist stay as they were written.
    if (step.function != nullptr && step.function->version > 1)
      functions_[step.function->name] = step.function->version;
    for (const Argument& argument : step.arguments) {
      if (argument.proto == nullptr) continue;
      const google::protobuf::Descriptor& message = *argument.proto->message;
      if (!messages_.contains(message.full_name())) messages_[message.full_name()] = Digest(MessageText(message));
    }
  }

  std::map<std::string_view, int> functions_;
  std::map<std::string, std::string> messages_;
};

std::string MeaningsOf(const IndexDefinition& definition) {
  Meanings meanings;
  if (definition.table_template) meanings.Add(*definition.table_template);
  if (definition.each.list) meanings.Add(*definition.each.list);
  meanings.Add(definition.row);
  for (const ColumnRule& column : definition.columns) {
    meanings.Add(column.qualifier);
    meanings.Add(column.value);
  }
  for (const Condition& condition : definition.when) {
    ForEachTest(condition, [&meanings](const Test& test) {
      meanings.Add(test.left);
      meanings.Add(test.right);
    });
  }
  return meanings.Text();
}

}  // namespace

std::string Canonical(const IndexDefinition& definition) {
  std::string out = "source: " + definition.source_table +
                    "\ntable: " + (definition.table_template ? definition.table_template->text : definition.table) +
                    "\n";
  if (!definition.each.text.empty()) out += "each: " + definition.each.text + "\n";
  out += "row: " + definition.row.text + "\ncolumns:\n";
  for (const ColumnRule& column : definition.columns) {
    out += "  " + EscapeAscii(column.family) + ":" + column.qualifier.text + " = " + column.value.text;
    if (definition.expire_exactly) out += " for " + std::to_string(TtlOf(definition.create, column.family)) + "s";
    out += "\n";
  }
  AddConditions(definition.when, &out);
  if (definition.exists) {
    const Slot& slot = definition.slots[*definition.exists];
    // Key `requires:`. The stored word is another one: it is part of every fingerprint.
    out += "exists: " + ColumnAscii(slot.family, slot.qualifier) + "\n";
  }
  if (definition.shared) out += "shared: true\n";
  if (definition.unique) out += "unique: true\n";
  if (definition.expire_exactly) out += "expire: exact\n";
  return out + MeaningsOf(definition);
}

}  // namespace fensi::mapping
