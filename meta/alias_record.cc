#include "meta/alias_record.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/random_name.h"

namespace fensi::meta {
namespace {

constexpr char kChange[] = "change", kIndex[] = "index", kOfIndex[] = "incarnation";
constexpr char kFormer[] = "former", kFormerIncarnation[] = "former_incarnation";

std::string ValueOf(const SharedRow::Cells& cells, const char* qualifier) {
  const auto at = cells.find(qualifier);
  return at == cells.end() ? "" : at->second.value;
}

}  // namespace

Result<std::optional<Alias>> AliasRecord::Read() const {
  const Result<SharedRow::Cells> cells = row_.ReadAll();
  FENSI_RETURN_IF_ERROR(cells.status());
  if (cells->empty()) return std::optional<Alias>();
  Alias alias{{ValueOf(*cells, kIndex), ValueOf(*cells, kOfIndex)}, std::nullopt, {}};
  if (alias.current.index.empty() || !cells->contains(kChange)) {
    return Status(StatusCode::kInternal, "table " + row_.table() + ", row " + Escape(row_.row()) +
                                             " is no alias as this version of fensi writes it: i:index or i:change is "
                                             "missing");
  }
  alias.change = cells->at(kChange);
  for (const auto& [qualifier, cell] : *cells) alias.newest = std::max(alias.newest, cell.timestamp);
  IndexName former{ValueOf(*cells, kFormer), ValueOf(*cells, kFormerIncarnation)};
  if (!former.index.empty()) alias.former = std::move(former);
  return std::optional(std::move(alias));
}

Status AliasRecord::Switch(const std::optional<Alias>& known, const IndexName& to) const {
  const IndexName former = known ? known->current : IndexName();
  const int64_t version = known ? known->newest + 1 : SharedRow::kFirstVersion;
  std::vector<Cell> cells = {SharedRow::CellOf(kIndex, version, to.index),
                             SharedRow::CellOf(kOfIndex, version, to.incarnation),
                             SharedRow::CellOf(kFormer, version, former.index),
                             SharedRow::CellOf(kFormerIncarnation, version, former.incarnation)};
  const std::string change = RandomName();
  const auto before = known ? std::optional(known->change) : std::nullopt;
  const Result<Cell> now = row_.Replace(kChange, before, change, std::move(cells));
  FENSI_RETURN_IF_ERROR(now.status());
  if (now->value == change) return {};
  return Status(StatusCode::kConfiguration, "somebody else changed row " + Escape(row_.row()) + " of table " +
                                                row_.table() + " at the same moment; look at it again");
}

}  // namespace fensi::meta
