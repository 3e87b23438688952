// Checks of an event that are common to all schemes. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/change_source.h"
#include "indexer/state/unit.h"
#include "mapping/index.h"

namespace fensi::indexer {

/// Why an event that should give an entry gives none; the reason of a dead letter.
enum class LetterKind {
  kUndecodable,      // the bytes are no event, or one that cannot be
  kUnmappable,       // the row itself gives no entry: a scan may meet millions
  kRejected,         // the store never takes the cell
  kSourceRequired,   // what was left of the past does not say what is visible, or does not fit
  kOutsideRetention  // its period may not have an entry: a scan may meet millions
};
inline constexpr size_t kLetterKinds = 5;
inline constexpr std::array<const char*, kLetterKinds> kLetterKindNames = {"undecodable", "unmappable", "rejected",
                                                                           "source_required", "outside_retention"};
/// The same as letters have them, in topics and files: these bytes do not change, so that two of them are other words.
inline constexpr std::array<const char*, kLetterKinds> kStoredLetterKindNames = {
    "undecodable", "unmappable", "rejected", "unanswerable", "outside_keep"};

struct Letter {
  size_t record = 0;
  std::string reason;
  LetterKind kind = LetterKind::kSourceRequired;

  bool unmappable() const { return kind == LetterKind::kUnmappable || kind == LetterKind::kOutsideRetention; }
};

// Checks of an event that are common to all schemes. Pure.

/// True if the cell may be a marker of a family: a delete of unknown kind without qualifier may be one.
bool MarksFamily(const Cell& cell);

/// True if the index watches the cell.
bool Touches(const mapping::Index& index, const Cell& cell);

/// Last millisecond at which a put with a TTL of its own is visible; INT64_MAX: it has none, or never ends.
int64_t ExpiresByItself(const Cell& put);

/// True if the cell is above kMaxSourceTime, and not lowered yet.
bool IsTooNew(const Cell& cell);

/// Returns a cell that is too new as an index applies it. A delete deletes all that an index has. A put hides all
/// versions below it, as in HBase, and has no entry: it becomes a delete of its column, and `told` gets the reason.
Cell Lowered(const Cell& cell, size_t record, std::vector<Letter>* told);

/// False: the record is of another table, and there is nothing to report.
bool Concerns(const mapping::Index& index, const consumer::Record& record);

/// True if the event is a bulk load into a family that the index reads.
bool IsLoadOf(const mapping::Index& index, const ChangeEvent& event);

/// Why no index can apply the record, or ok. Other conditions were checked when the event was decoded
/// (consumer/codec/message.h). Cells that no index watches are not checked.
Status CheckRecord(const mapping::Index& index, const consumer::Record& record);

// M15: when an image of a source row leaves open what the source shows. Pure.

using ColumnNames = std::vector<std::pair<std::string, std::string>>;  // family and qualifier, sorted

ColumnNames NamesOf(const Visible& visible);

/// `image`: its cells of the unit. `shown`: the columns that the registers showed before it. `now`: what they show
/// since. True: a column was lost by it, for an image alone never removes; or they show something else than the image,
/// which only one that shows all of the unit can tell (`whole`).
bool ImageLeavesDoubt(std::span<const Cell* const> image, bool whole, const ColumnNames& shown, const Visible& now,
                      const Unit& unit);

}  // namespace fensi::indexer
