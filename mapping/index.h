// One index of a mapping file, compiled: which source cells it watches, and which index cells a source row gives.
//
// Pure: no I/O, no thread, no clock. Immutable after loading, so any thread may use it; Derive allocates only what its
// output buffer has not yet got. An Index owns everything it was compiled from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "mapping/create_spec.h"
#include "mapping/entry_list.h"
#include "mapping/lookup.h"

namespace fensi::mapping {

/// What follows the index's name in the name of its state table, unless `state_table:` names one.
inline constexpr std::string_view kStateTableSuffix = "_state";

enum class IndexClass {
  kRowDerived,        // key from the row key, existence from exactly one column
  kQualifierDerived,  // key from row key and qualifier of the bound column
  kValueDerived,      // anything else
};

/// How much of a source row is one unit of state.
enum class StateUnit {
  kRow,     // entries depend on several cells of the row
  kColumn,  // each entry depends on its bound column alone (`each:`): a wide row costs no more per event
};

/// A cell of the source row that its readers see.
struct VisibleCell {
  std::string_view family;
  std::string_view qualifier;
  int64_t timestamp = 0;
  std::string_view value;
  int64_t expires_at = INT64_MAX;  // by a TTL of its own, milliseconds since the epoch
};

/// The visible cells of one unit, newest version only, in any order, watched columns only (others do no harm).
struct RowView {
  std::string_view row;
  std::span<const VisibleCell> cells;
};

/// Why a row or an item of it has no entry although it should: goes to the dead letters as a report.
struct Unmappable {
  std::string reason;  // names the template and the value: "row '{f1:age | int}': \"x7\" is not a whole number"
};

/// Columns of the source that an index reads: one column, or a whole family, or those whose qualifier begins so.
struct Watch {
  std::string family;
  std::string qualifier;  // or its prefix
  enum class Kind { kColumn, kPrefix, kFamily } kind = Kind::kColumn;
  bool bound = false;  // named by `each:`
};

class Index {
 public:
  virtual ~Index() = default;

  virtual const std::string& name() const = 0;
  virtual const std::string& source_table() const = 0;
  virtual const std::string& topic() const = 0;
  /// Index table; for a period table (a template) the part in front of its first reference.
  virtual const std::string& table() const = 0;
  virtual bool table_is_template() const = 0;
  /// `keep:` of a period table: entries of a time before now - keep, or more than a day ahead, are not put.
  virtual std::optional<int64_t> keep_millis() const { return std::nullopt; }
  virtual const std::string& state_table() const = 0;
  virtual const std::string& group() const = 0;
  virtual const std::string& dead_letter_topic() const = 0;

  virtual IndexClass index_class() const = 0;
  virtual StateUnit state_unit() const = 0;
  /// `shared: true`: several source rows may write one cell; removals delete their own version only.
  virtual bool shared() const = 0;
  /// `expire: exact`: an entry goes with the first of the cells it came from, each by its own and its family's TTL.
  virtual bool expires_exactly() const = 0;

  virtual std::span<const Watch> watches() const = 0;
  /// Can this column change an entry?
  virtual bool Watches(std::string_view family, std::string_view qualifier) const = 0;
  /// Can a marker on this family change an entry?
  virtual bool WatchesFamily(std::string_view family) const = 0;

  /// `when:` for people: each condition as it was understood.
  virtual std::vector<std::string> conditions() const { return {}; }

  /// Appends the entries of one unit (the whole row, or for StateUnit::kColumn a row of which one bound cell is shown)
  /// to `entries`, and to `problems` what should have been one and cannot be. No duplicates: of two equal cells within
  /// one row the later in YAML and qualifier order wins.
  virtual void Derive(const RowView& row, EntryList* entries, std::vector<Unmappable>* problems) const = 0;

  /// For people: how the templates of one unit were evaluated, step by step, and why there is no entry. Slow.
  virtual std::vector<std::string> Explain(const RowView& row) const = 0;

  virtual const CreateSpec& create() const = 0;
  /// Fingerprint of everything that decides which entries exist (not `create:`, tests, comments): 32 hex digits.
  virtual const std::string& fingerprint() const = 0;
  /// The definition as text, for messages about a changed one.
  virtual const std::string& definition() const = 0;

  /// Encodes the parts a reader gives (key_parts) into the longest row key prefix they decide. More than one prefix:
  /// the key begins with a salt. kInvalidArgument: wrong number or value.
  struct KeyPrefix {
    std::vector<std::string> prefixes;
    bool complete = false;  // the prefix is a whole row key
  };
  virtual Result<KeyPrefix> EncodeKey(std::span<const std::string> parts) const = 0;
  /// What a reader scans, and which of it is meant. The index outlives it. kInvalidArgument: wrong parts or bounds, or
  /// the row keys do not tell what fits.
  virtual Result<std::shared_ptr<const Lookup>> Plan(LookupRequest request) const = 0;
  /// What row key, qualifier and value of a cell tell of the source, as far as templates can be read backwards.
  virtual std::vector<KnownPart> Decode(const Entry& cell) const = 0;

  /// References of the row template behind its salt, in order of first use: "f1:from", "row". Where the key holds
  /// several pieces of a value and never the whole, each is a part: "f1:doc | json city".
  virtual std::vector<std::string> key_parts() const = 0;
  /// The row key for people: one line for each part with its width and order, then what holds for the whole.
  virtual std::vector<std::string> key_layout() const { return {}; }
};

}  // namespace fensi::mapping
