#include "tests/mapping/lookup_case.h"

#include <algorithm>

#include "base/bytes.h"
#include "mapping/functions/numbers_as_text.h"
#include "mapping/template/program.h"

namespace fensi::mapping {

Case::Case(const Accepted& mapping, const std::vector<SourceRow>& rows)
    : index(mapping.index), shelf(*index), force(mapping.file, rows) {
  parts = KeyParts(force.definition().row);
  for (const SourceRow& row : rows) shelf.Put({row.row, row.View()});
  for (const Shelf::Owned& cell : shelf.entries()) entries.push_back({cell, {}});
  for (const Maker& maker : force.makers()) {
    for (const Shelf::Owned& cell : force.CellsOf(maker)) {
      for (Stored& entry : entries) {
        if (entry.cell == cell) entry.makers.push_back(&maker);
      }
    }
  }
}

std::string TextOfValue(const Value& value, Type type) { return TypedText(type, value); }

std::optional<std::vector<std::string>> Typed(const Case& one, const Maker& maker, size_t count) {
  std::vector<std::string> texts;
  Scratch scratch;
  for (size_t i = 0; i < count; ++i) {
    const KeyPart& part = one.parts[i];
    const std::optional<Value> value = one.force.Run(*part.first, part.steps, maker, &scratch);
    if (!value) return std::nullopt;
    texts.push_back(TextOfValue(*value, TypeAt(*part.first, part.steps)));
  }
  return texts;
}

bool AlikeInParts(const Case& one, const Maker& a, const Maker& b, size_t count) {
  return std::all_of(one.row().parts.begin(), one.row().parts.end(), [&](const Part& part) {
    const auto decides = [&](const KeyPart& given) { return given.Decides(part); };
    if (std::none_of(one.parts.begin(), one.parts.begin() + static_cast<std::ptrdiff_t>(count), decides)) return true;
    return one.force.BytesOf(part, a) == one.force.BytesOf(part, b);
  });
}

std::string Named(const Shelf::Owned& cell) {
  return cell.table + " " + Escape(cell.row) + " " + Escape(cell.family + ":" + cell.qualifier) + "=" +
         Escape(cell.value);
}

std::string Asked(const LookupRequest& request) {
  std::string text = "lookup";
  for (const std::string& part : request.parts) text += " " + Shown(part);
  if (!request.from.empty()) text += " from " + Escape(request.from);
  if (!request.to.empty()) text += " to " + Escape(request.to);
  return text + ": ";
}

}  // namespace fensi::mapping
