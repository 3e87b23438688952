#include "indexer/index_table.h"

#include <sstream>
#include <utility>

#include "base/bytes.h"

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
  return before.enabled_at != now.enabled_at && before.first_region != now.first_region;
}

NotedTable NotedAfter(const std::optional<NotedTable>& noted, const store::TableIdentity& now, int64_t wall_millis) {
  if (!noted) return {now, {}};
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
  return Status(StatusCode::kInternal, "table " + row_.table() + ", row " + row_.row() + ", column i:" + kTableColumn +
                                           " holds '" + Escape(cell->value) +
                                           "', which this version of fensi does not understand");
}

Result<std::optional<NotedTable>> IndexTable::Noted() const {
  const Result<std::optional<Cell>> cell = row_.Read(kTableColumn);
  FENSI_RETURN_IF_ERROR(cell.status());
  return Parsed(*cell);
}

Result<std::optional<NotedTable>> IndexTable::Look() const {
  const Result<std::optional<NotedTable>> noted = Noted();
  FENSI_RETURN_IF_ERROR(noted.status());
  const Result<std::optional<store::TableIdentity>> now = Identity();
  FENSI_RETURN_IF_ERROR(now.status());
  if (!now->has_value()) return std::optional<NotedTable>();
  return std::optional(NotedAfter(*noted, **now, clock_->WallMillis()));
}

Result<std::optional<NotedTable>> IndexTable::LookOrNoted() const {
  Result<std::optional<NotedTable>> seen = Look();
  return seen.ok() ? seen : Noted();
}

/// What is noted is read before the table: whoever changed it meanwhile knew the table better, and is not overwritten.
Result<std::optional<IndexTable::Change>> IndexTable::Replace(const After& after) const {
  for (int tries = 0; tries < MetaRow::kMostTries; ++tries) {
    const Result<std::optional<Cell>> cell = row_.Read(kTableColumn);
    FENSI_RETURN_IF_ERROR(cell.status());
    const Result<std::optional<NotedTable>> noted = Parsed(*cell);
    FENSI_RETURN_IF_ERROR(noted.status());
    const Result<std::optional<store::TableIdentity>> now = Identity();
    FENSI_RETURN_IF_ERROR(now.status());
    if (!now->has_value()) return std::optional<Change>();
    const Result<std::optional<NotedTable>> wanted = after(*noted, **now);
    FENSI_RETURN_IF_ERROR(wanted.status());
    if (!wanted->has_value()) return std::optional<Change>();
    const Change change{*noted, **wanted};
    if (change.before == change.after) return std::optional(change);
    const Result<Cell> stands = row_.Replace(kTableColumn, *cell, FormatNotedTable(change.after));
    FENSI_RETURN_IF_ERROR(stands.status());
    if (stands->value == FormatNotedTable(change.after)) return std::optional(change);
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
    if (!IsMadeAgain(begun, now)) return std::optional(NotedTable{now, {}});
    return Status(StatusCode::kConfiguration, "table " + index_->table() + " was made again meanwhile");
  };
  const auto change = Replace(matches);
  FENSI_RETURN_IF_ERROR(change.status());
  if (!change->has_value()) return false;
  const NotedTable& before = *(*change)->before;
  return before.mismatch_since.has_value() || IsMadeAgain(before.identity, (*change)->after.identity);
}

}  // namespace fensi::indexer
