#include "base/bytes.h"
#include "mapping/definition/definition.h"

namespace fensi::mapping {
namespace {

int32_t TtlOf(const CreateSpec& create, const std::string& family) {
  for (const FamilySpec& spec : create.families) {
    if (spec.name == family) return spec.ttl_seconds.value_or(0);
  }
  return 0;
}

}  // namespace

std::string Canonical(const IndexDefinition& definition) {
  std::string out = "source: " + definition.source_table +
                    "\ntable: " + (definition.table_template ? definition.table_template->text : definition.table) +
                    "\n";
  if (!definition.each.text.empty()) out += "each: " + definition.each.text + "\n";
  out += "row: " + definition.row.text + "\ncolumns:\n";
  for (const ColumnRule& column : definition.columns) {
    out += "  " + Escape(column.family) + ":" + column.qualifier.text + " = " + column.value.text;
    if (definition.expire_exactly) out += " for " + std::to_string(TtlOf(definition.create, column.family)) + "s";
    out += "\n";
  }
  if (!definition.when.empty()) out += "when:\n";
  for (const Condition& condition : definition.when) out += "  " + condition.text + "\n";
  if (definition.exists) {
    const Slot& slot = definition.slots[*definition.exists];
    out += "exists: " + ColumnText(slot.family, slot.qualifier) + "\n";
  }
  if (definition.shared) out += "shared: true\n";
  if (definition.unique) out += "unique: true\n";
  if (definition.expire_exactly) out += "expire: exact\n";
  return out;
}

}  // namespace fensi::mapping
