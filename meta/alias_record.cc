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

std::string ValueOf(const VersionedMetaRow::Cells& cells, const char* qualifier) {
  const Cell* cell = FindCell(cells, qualifier);
  return cell == nullptr ? "" : cell->value;
}

int64_t NewestOf(const VersionedMetaRow::Cells& cells) {
  int64_t newest = 0;
  for (const auto& [qualifier, cell] : cells) newest = std::max(newest, cell.timestamp);
  return newest;
}

bool IsRemoved(const VersionedMetaRow::Cells& cells) {
  const auto index = cells.find(kIndex);
  return index != cells.end() && index->second.value.empty() && cells.contains(kChange);
}

}  // namespace

Result<std::optional<Alias>> AliasRecord::Read() const {
  FENSI_ASSIGN_OR_RETURN(const VersionedMetaRow::Cells cells, row_.ReadAll());
  if (cells.empty()) return std::optional<Alias>();
  if (IsRemoved(cells)) return std::optional<Alias>();
  Alias alias{{ValueOf(cells, kIndex), ValueOf(cells, kOfIndex)}, std::nullopt, {}};
  if (alias.current.index.empty() || !cells.contains(kChange)) {
    return Status(StatusCode::kInternal, "table " + row_.table() + ", row " + Escape(row_.row()) +
                                             ": the record of the alias has no column i:index or i:change, so the "
                                             "alias names no index. Remove the alias, then set it again: 'fensi "
                                             "switch MAPPING ALIAS … --remove --execute', then 'fensi switch MAPPING "
                                             "ALIAS … --to INDEX --execute'");
  }
  alias.change = cells.at(kChange);
  alias.newest = NewestOf(cells);
  IndexName former{ValueOf(cells, kFormer), ValueOf(cells, kFormerIncarnation)};
  if (!former.index.empty()) alias.former = std::move(former);
  return std::optional(std::move(alias));
}

Status AliasRecord::Switch(const std::optional<Alias>& known, const IndexName& to) const {
  if (known) return Change(known->change, known->newest, to, known->current);
  FENSI_ASSIGN_OR_RETURN(const VersionedMetaRow::Cells cells, row_.ReadAll());
  const bool removed = IsRemoved(cells);
  return Change(removed ? std::optional(cells.at(kChange)) : std::nullopt, removed ? NewestOf(cells) : 0, to, {});
}

Result<bool> AliasRecord::Remove() const {
  FENSI_ASSIGN_OR_RETURN(const VersionedMetaRow::Cells cells, row_.ReadAll());
  if (cells.empty() || IsRemoved(cells)) return false;
  const auto change = cells.find(kChange);
  const auto known = change == cells.end() ? std::nullopt : std::optional(change->second);
  FENSI_RETURN_IF_ERROR(Change(known, NewestOf(cells), {}, {ValueOf(cells, kIndex), ValueOf(cells, kOfIndex)}));
  return true;
}

Status AliasRecord::Change(const std::optional<Cell>& known, int64_t newest, const IndexName& to,
                           const IndexName& former) const {
  FENSI_ASSIGN_OR_RETURN(const int64_t version,
                         row_.NextVersion({.family = kFamily, .qualifier = kIndex, .timestamp = newest}));
  std::vector<Cell> cells = {VersionedMetaRow::CellOf(kIndex, version, to.index),
                             VersionedMetaRow::CellOf(kOfIndex, version, to.incarnation),
                             VersionedMetaRow::CellOf(kFormer, version, former.index),
                             VersionedMetaRow::CellOf(kFormerIncarnation, version, former.incarnation)};
  const std::string change = RandomName();
  FENSI_ASSIGN_OR_RETURN(const Cell now, row_.Replace(kChange, known, change, std::move(cells)));
  // M22: the random name shows which of two changes at the same moment was written.
  if (now.value == change) return {};
  return Status(StatusCode::kConfiguration,
                "table " + row_.table() + ", row " + Escape(row_.row()) +
                    ": another process changed the alias at the same moment. Run this command "
                    "without --execute to see which index the alias names now. Then run "
                    "the command with --execute again");
}

}  // namespace fensi::meta
