// Whether the index table is still the table that the index filled. A table that was dropped and made again, or
// truncated, is empty, and by the states of its rows the index has nothing to bring back: the index does not match its
// source, until a comparison of all rows, or a repair, has proved that it does. A backfill does not.
//
// Column "table" of the index's own row (indexer/meta_row.h) has the identity of the table that was seen last:
//   ENABLED_AT FIRST_REGION                  as store::TableIdentity has them
//   ENABLED_AT FIRST_REGION mismatch SINCE   the same table, which was made again; seen at SINCE, in milliseconds since
//                                            the epoch
// One column and no other, so that of two processes that change it one sees what the other did.
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
/// Absent: it is none that this version understands.
std::optional<NotedTable> ParseNotedTable(const std::string& text);

/// "ENABLED_AT FIRST_REGION"
std::string FormatIdentity(const store::TableIdentity& identity);
std::optional<store::TableIdentity> ParseIdentity(const std::string& text);

/// Both halves differ. A table that was only enabled again, or only split or merged, has one of them still.
bool IsMadeAgain(const store::TableIdentity& before, const store::TableIdentity& now);

/// What is noted of a table that is `now` seen. `noted`: absent at the first look.
NotedTable NotedAfter(const std::optional<NotedTable>& noted, const store::TableIdentity& now, int64_t wall_millis);

class IndexTable {
 public:
  IndexTable(const mapping::Index* index, store::Store* store, Clock* clock = SystemClock())
      : index_(index), store_(store), row_(index, store, clock), clock_(clock) {}

  /// Absent: the store cannot tell, or the index has a table for each period, which fensi makes and drops itself.
  /// Errors as Store::IdentityOf.
  Result<std::optional<store::TableIdentity>> Identity() const;
  /// As Look. Where nobody may look at the table, or it is on its way: what stands in the row.
  Result<std::optional<NotedTable>> LookOrNoted() const;
  /// What stands in the row. Absent: no process has looked yet. kInternal: it cannot be understood.
  Result<std::optional<NotedTable>> Noted() const;

  /// The table of this moment. Absent: as Identity. Writes nothing.
  Result<std::optional<NotedTable>> Look() const;
  /// The same, and notes it.
  Result<std::optional<NotedTable>> LookAndNote() const;

  /// All rows were compared since the table was `begun`, and nothing is wrong: from now on the index matches. True: it
  /// did not before. kConfiguration: the table was made again meanwhile, so that nothing is proved.
  Result<bool> NoteProved(const store::TableIdentity& begun) const;

 private:
  struct Change {
    std::optional<NotedTable> before;
    NotedTable after;
  };
  /// What is to be noted of a table that is `now` seen; absent: nothing.
  using After = std::function<Result<std::optional<NotedTable>>(const std::optional<NotedTable>& noted,
                                                                const store::TableIdentity& now)>;

  /// Writes nothing if the two are the same. Absent: as Identity, or as `after`.
  Result<std::optional<Change>> Replace(const After& after) const;
  Result<std::optional<NotedTable>> Parsed(const std::optional<Cell>& cell) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  const MetaRow row_;
  Clock* const clock_;
};

}  // namespace fensi::indexer
