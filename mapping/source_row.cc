#include "mapping/source_row.h"

#include "base/bytes.h"

namespace fensi::mapping {

std::string WatchText(const Watch& watch) {
  std::string text = ColumnText(watch.family, watch.qualifier);
  if (watch.kind != Watch::Kind::kColumn) text += "*";
  return watch.bound ? text + " (each)" : text;
}

std::vector<std::string> WatchTexts(std::span<const Watch> watches) {
  std::vector<std::string> texts;
  texts.reserve(watches.size());
  for (const Watch& watch : watches) texts.push_back(WatchText(watch));
  return texts;
}

bool Covers(const Watch& watch, std::string_view family, std::string_view qualifier) {
  if (watch.family != family) return false;
  switch (watch.kind) {
    case Watch::Kind::kColumn:
      return watch.qualifier == qualifier;
    case Watch::Kind::kPrefix:
      return qualifier.starts_with(watch.qualifier);
    case Watch::Kind::kFamily:
      return true;
  }
  return false;
}

}  // namespace fensi::mapping
