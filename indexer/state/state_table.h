// Where units live in the state table, and how many of them are read and written in one call.
//
// One state row per source row, same row key. Families:
//   s  state of a unit; qualifier empty for a row unit, else "family:qualifier" of the column
//   d  doubt about a unit: qualifier "d" and that of the unit for what the last look left, written with its state;
//      "i", 8 random bytes of the assignment and that of the unit for an attempt's intent (M8.1)
//   m  family markers shared by the column units of the row; qualifier empty
//   i  the index itself (indexer/index_meta.h); never read here
// The timestamp of an s or d cell is the unit's version (one less while a second look is to come), that of an m cell
// the version of the marker set. One put per row writes all its cells, so a row's state changes at once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "indexer/plan/unit_planner.h"
#include "store/store.h"

namespace fensi::indexer {

constexpr char kStateFamily[] = "s";
constexpr char kDoubtFamily[] = "d";
constexpr char kMarkerFamily[] = "m";
constexpr char kIndexFamily[] = "i";

/// What a batch needs of one source row: only the units that it touches. Unit keys are qualifiers of the state table.
struct RowWork {
  std::string row;
  std::shared_ptr<FamilySet> families = std::make_shared<FamilySet>();
  bool families_known = false;
  bool families_dirty = false;
  bool surely_new = false;  // no state of it exists (M13)
  bool all_units = false;   // every unit of the row is needed (a family marker)
  std::map<std::string, UnitWork, std::less<>> units;

  /// The unit of a column; family and qualifier are empty for a row unit.
  UnitWork* FindOrAdd(std::string_view family, std::string_view qualifier, bool* was_added = nullptr);
};

/// Qualifier of a unit's cells: "family:qualifier", or empty for a row unit.
std::string UnitKey(std::string_view family, std::string_view qualifier);

/// The read that makes everything in `row` known; false: nothing is missing.
bool MissingState(const RowWork& row, bool row_units, store::GetRequest* request);

/// Takes an answer to MissingState's request. Fails on a cell that cannot be decoded.
Status TakeState(const store::Row& answer, bool row_units, RowWork* row);

/// Adds one mutation with the dirty cells of the row, if any.
/// They expire `ttl_millis` after their versions, if that is given.
void AddStateMutation(const RowWork& row, bool row_units, std::optional<int64_t> ttl_millis,
                      std::vector<store::RowMutation>* mutations);

/// The intent of the attempt with this nonce to write what `read` gives of a doubtful unit, at `version` (M8.1).
Cell IntentCell(const std::string& nonce, const Unit& unit, const Snapshot& read, int64_t version);

}  // namespace fensi::indexer
