// Detects whether the index table is still the table that the index filled. A table that was dropped and recreated, or
// truncated, is empty, and the row states say that nothing is missing: the index does not match its source until a
// comparison of all rows, or a repair, has proved that it does. A backfill proves nothing.
//
// Column "table" of the index's own row (indexer/meta_row.h) has the identity of the table that was seen last:
//   ENABLED_AT FIRST_REGION                  as store::TableIdentity has them
//   ENABLED_AT FIRST_REGION mismatch SINCE   the same table, which was recreated; seen at SINCE, in milliseconds since
//                                            the epoch
// It is a single column, so that of two processes that change it one sees the other's change.
//
// All methods block on the store; thread-safe. Index, store and clock outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "indexer/meta_row.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

inline constexpr char kTableColumn[] = "table";

struct NotedTable {
  store::TableIdentity identity;
  std::optional<int64_t> mismatch_since;  // milliseconds since the epoch; absent: the index matches
  bool operator==(const NotedTable&) const = default;
};

inline bool IsMismatch(const std::optional<NotedTable>& noted) { return noted && noted->mismatch_since; }

std::string FormatNotedTable(const NotedTable& noted);
/// Absent: this version does not understand the text.
std::optional<NotedTable> ParseNotedTable(const std::string& text);

/// "ENABLED_AT FIRST_REGION"
std::string FormatIdentity(const store::TableIdentity& identity);
std::optional<store::TableIdentity> ParseIdentity(const std::string& text);

/// True if both halves differ. A table that was only enabled again, or only split or merged, still has one of them.
bool IsMadeAgain(const store::TableIdentity& before, const store::TableIdentity& now);

/// The record after the table was seen as `now`. `noted`: the record before, absent at the first check.
NotedTable NotedAfter(const std::optional<NotedTable>& noted, const store::TableIdentity& now, int64_t wall_millis);

class IndexTable {
 public:
  IndexTable(const mapping::Index* index, store::Store* store, Clock* clock = SystemClock())
      : index_(index), store_(store), row_(index, store, clock), clock_(clock) {}

  /// Absent: the store cannot tell, or the index has period tables, which fensi creates and drops itself. Errors as
  /// Store::IdentityOf.
  Result<std::optional<store::TableIdentity>> Identity() const;
  /// Look or, if that fails, Noted.
  Result<std::optional<NotedTable>> LookOrNoted() const;
  /// The record in the row. Absent: no process has checked yet. kInternal: it cannot be parsed.
  Result<std::optional<NotedTable>> Noted() const;

  /// The record for the table as it is now. Absent: as Identity. Writes nothing.
  Result<std::optional<NotedTable>> Look() const;
  /// Look, and stores the record.
  Result<std::optional<NotedTable>> LookAndNote() const;

  /// Records a proof: all rows were compared since the table was `begun`, and nothing is wrong, so the index matches
  /// from now on. True: it did not match before. kConfiguration: the table was recreated meanwhile, so nothing is
  /// proved.
  Result<bool> NoteProved(const store::TableIdentity& begun) const;

 private:
  struct Change {
    std::optional<NotedTable> before;
    NotedTable after;
  };
  /// Returns the record to store, given the stored one and the table as it is `now`. Absent: store nothing.
  using After = std::function<Result<std::optional<NotedTable>>(const std::optional<NotedTable>& noted,
                                                                const store::TableIdentity& now)>;

  /// Stores what `after` returns, unless it is stored already. Absent: Identity or `after` returned absent.
  Result<std::optional<Change>> Replace(const After& after) const;
  Result<std::optional<NotedTable>> Parsed(const std::optional<Cell>& cell) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  const MetaRow row_;
  Clock* const clock_;
};

}  // namespace fensi::indexer
