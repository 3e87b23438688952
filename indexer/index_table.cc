#include "indexer/index_table.h"

#include <sstream>

namespace fensi::indexer {
namespace {

constexpr char kMismatch[] = "mismatch";

std::optional<store::TableIdentity> ReadIdentity(std::istringstream* words) {
  store::TableIdentity identity;
  if (!(*words >> identity.enabled_at >> identity.first_region)) return std::nullopt;
  return identity;
}

bool AtEnd(std::istringstream* words) {
  std::string more;
  return !(*words >> more);
}

}  // namespace

std::string FormatIdentity(const store::TableIdentity& identity) {
  return std::to_string(identity.enabled_at) + " " + std::to_string(identity.first_region);
}

std::optional<store::TableIdentity> ParseIdentity(const std::string& text) {
  std::istringstream words(text);
  const std::optional<store::TableIdentity> identity = ReadIdentity(&words);
  return identity && AtEnd(&words) ? identity : std::nullopt;
}

std::string FormatNotedTable(const NotedTable& noted) {
  const std::string identity = FormatIdentity(noted.identity);
  return noted.mismatch_since ? identity + " " + kMismatch + " " + std::to_string(*noted.mismatch_since) : identity;
}

std::optional<NotedTable> ParseNotedTable(const std::string& text) {
  std::istringstream words(text);
  const std::optional<store::TableIdentity> identity = ReadIdentity(&words);
  if (!identity) return std::nullopt;
  NotedTable noted{*identity, {}};
  std::string word;
  if (!(words >> word)) return noted;
  int64_t since = 0;
  if (word != kMismatch || !(words >> since) || !AtEnd(&words)) return std::nullopt;
  noted.mismatch_since = since;
  return noted;
}

bool IsMadeAgain(const store::TableIdentity& before, const store::TableIdentity& now) {
  // M25: a table that is enabled again keeps its regions, and a split keeps the time of enabling.
  return before.enabled_at != now.enabled_at && before.first_region != now.first_region;
}

NotedTable NotedAfter(const std::optional<NotedTable>& noted, const store::TableIdentity& now, int64_t wall_millis) {
  if (!noted) return {now, {}};
  // M25: a mismatch ends only by a proof.
  NotedTable after{now, noted->mismatch_since};
  if (IsMadeAgain(noted->identity, now) && !after.mismatch_since) after.mismatch_since = wall_millis;
  return after;
}

Result<std::optional<store::TableIdentity>> IndexTable::Identity() const {
  if (index_->table_is_template()) return std::optional<store::TableIdentity>();
  return store_->IdentityOf(index_->table());
}

Result<std::optional<NotedTable>> IndexTable::Parsed(const std::optional<Cell>& cell) const {
  if (!cell) return std::optional<NotedTable>();
  const std::optional<NotedTable> noted = ParseNotedTable(cell->value);
  if (noted) return noted;
  return meta::UnknownValue(row_.table(), row_.row(), kTableColumn, cell->value);
}

Result<std::optional<NotedTable>> IndexTable::Noted() const {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> cell, row_.Read(kTableColumn));
  return Parsed(cell);
}

Result<std::optional<NotedTable>> IndexTable::Look() const {
  FENSI_ASSIGN_OR_RETURN(const std::optional<NotedTable> noted, Noted());
  FENSI_ASSIGN_OR_RETURN(const std::optional<store::TableIdentity> now, Identity());
  if (!now.has_value()) return std::optional<NotedTable>();
  return std::optional(NotedAfter(noted, *now, clock_->WallMillis()));
}

Result<std::optional<NotedTable>> IndexTable::LookOrNoted() const {
  Result<std::optional<NotedTable>> seen = Look();
  return seen.ok() ? seen : Noted();
}

/// M25: reads the recorded cell before the table, so that a process that is slow does not overwrite a newer record.
Result<std::optional<IndexTable::Change>> IndexTable::Replace(const After& after) const {
  for (int tries = 0; tries < MetaRow::kMostTries; ++tries) {
    FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> cell, row_.Read(kTableColumn));
    FENSI_ASSIGN_OR_RETURN(const std::optional<NotedTable> noted, Parsed(cell));
    FENSI_ASSIGN_OR_RETURN(const std::optional<store::TableIdentity> now, Identity());
    if (!now.has_value()) return std::optional<Change>();
    FENSI_ASSIGN_OR_RETURN(const std::optional<NotedTable> wanted, after(noted, *now));
    if (!wanted.has_value()) return std::optional<Change>();
    const Change change{noted, *wanted};
    if (change.before == change.after) return std::optional(change);
    FENSI_ASSIGN_OR_RETURN(const Cell stands, row_.Replace(kTableColumn, cell, FormatNotedTable(change.after)));
    if (stands.value == FormatNotedTable(change.after)) return std::optional(change);
  }
  return row_.TooManyTries(kTableColumn);
}

Result<std::optional<NotedTable>> IndexTable::LookAndNote() const {
  const auto change = Replace([this](const std::optional<NotedTable>& noted, const store::TableIdentity& now) {
    return Result<std::optional<NotedTable>>(NotedAfter(noted, now, clock_->WallMillis()));
  });
  FENSI_RETURN_IF_ERROR(change.status());
  return change->has_value() ? std::optional((*change)->after) : std::nullopt;
}

Result<bool> IndexTable::NoteProved(const store::TableIdentity& begun) const {
  const auto matches = [&](const std::optional<NotedTable>& noted,
                           const store::TableIdentity& now) -> Result<std::optional<NotedTable>> {
    if (!noted) return std::optional<NotedTable>();
    // M25: the proof must be of the table that is there now.
    if (!IsMadeAgain(begun, now)) return std::optional(NotedTable{now, {}});
    return Status(StatusCode::kConfiguration,
                  "table " + index_->table() +
                      " was dropped and created again during the comparison. Enter the same command again");
  };
  const auto change = Replace(matches);
  FENSI_RETURN_IF_ERROR(change.status());
  if (!change->has_value()) return false;
  const NotedTable& before = *(*change)->before;
  return before.mismatch_since.has_value() || IsMadeAgain(before.identity, (*change)->after.identity);
}

}  // namespace fensi::indexer
