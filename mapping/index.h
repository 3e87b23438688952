// One compiled index of a mapping file: which source cells it watches, and which index cells a source row gives.
//
// Pure: no I/O, no thread, no clock. Immutable after loading, so any thread may use it; Derive allocates only to grow
// its output buffer. An Index owns everything from which it was compiled.
//
// For readers of its cells: mapping/lookup.h. For people: mapping/explain.h, mapping/key_layout.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/changelog_spec.h"
#include "mapping/create_spec.h"
#include "mapping/entry_list.h"
#include "mapping/source_row.h"

namespace fensi::mapping {

class CellEnds;
class Deriver;
struct IndexDefinition;

class Index {
 public:
  explicit Index(IndexDefinition definition);
  ~Index();
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  const std::string& name() const;
  const std::string& source_table() const;
  const std::string& topic() const;
  /// Index table; for a period table (a template) the text before its first reference.
  const std::string& table() const;
  bool table_is_template() const;
  /// `retention:` of a period table: entries of a time before now - keep, or more than a day ahead, are not put.
  std::optional<int64_t> keep_millis() const;
  const std::string& state_table() const;
  const std::string& group() const;
  const std::string& dead_letter_topic() const;
  /// The topic of requests to its owners: "NAME.requests".
  std::string requests_topic() const;

  StateScope state_scope() const { return unit_; }
  /// As in the mapping file; kStateless only if stateless_obstacle() is empty.
  Scheme scheme() const;
  /// Why some index cell cannot follow one source cell; empty: each does.
  const std::string& stateless_obstacle() const { return mirror_obstacle_; }
  /// For a stateless index: the value or the existence of an entry depends on the value of its source cell, not on its
  /// timestamp alone.
  bool mirrors_values() const;
  /// `shared: true`: several source rows may write one cell; removals delete their own version only.
  bool shared() const;
  /// `unique: true`: a cell belongs to one source row at a time, and may move to another one.
  bool unique() const;
  /// `expire: exact`: an entry expires with the first of its source cells, each by its own and its family's TTL.
  bool expires_exactly() const;

  /// The end of a source cell by its TTL may leave an entry of several cells: no event reports an end, so the row's
  /// next event must correct it. Also between columns that `each:` binds, and not only beside one that a template
  /// names.
  bool ends_matter() const;
  bool ends_matter_between_bound() const;
  /// True if every entry expires by the TTL of its family.
  bool all_entries_expire() const;
  /// Last millisecond at which the source shows the cell, as far as the mapping knows: by its own TTL, and by the TTL
  /// under `create:` of the family of that name, else the longest there. INT64_MAX: unknown, or never.
  int64_t EndOf(const VisibleCell& cell) const;

  std::span<const Watch> watches() const { return watches_; }
  /// True if this column can change an entry.
  bool Watches(std::string_view family, std::string_view qualifier) const;
  /// True if a template, a condition or `exists:` names this column.
  bool Names(std::string_view family, std::string_view qualifier) const;
  /// True if a marker on this family can change an entry.
  bool WatchesFamily(std::string_view family) const;

  /// `when:` for people: each condition as it was understood.
  std::vector<std::string> conditions() const;

  /// Appends the entries of one unit (the whole row, or for StateScope::kColumn a row of which one bound cell is shown)
  /// to `entries`, and the reasons for missing entries to `problems`. No duplicates: of two equal cells within one row
  /// the later in YAML and qualifier order wins.
  void Derive(const RowView& row, EntryList* entries, std::vector<Unmappable>* problems) const;

  /// For a stateless index: how many index cells follow a cell of this column.
  size_t CountIndexCells(std::string_view family, std::string_view qualifier) const;
  /// For a stateless index: appends the index cells that follow the visible cells of `row`, whatever their values are.
  /// The entries have no values.
  void DeriveIndexCells(const RowView& row, EntryList* places) const;

  const CreateSpec& create() const;
  /// `changelog:`; null: none.
  const ChangelogSpec* changelog() const;
  /// Fingerprint of everything that decides which entries exist (not `create:`, tests, comments): 32 hex digits.
  const std::string& fingerprint() const { return fingerprint_; }
  /// The definition as text, for messages about a changed one.
  const std::string& definition() const { return text_; }
  /// Tables of this machine that are a part of the definition, each with its version or a digest: "ICU: Unicode 15.0".
  const std::vector<std::string>& machine_tables() const { return machine_tables_; }
  /// Its templates, for reading them backwards or showing them.
  const IndexDefinition& compiled() const { return *definition_; }

 private:
  const std::unique_ptr<const IndexDefinition> definition_;
  const StateScope unit_;
  const std::string text_;
  const std::string fingerprint_;
  const std::vector<std::string> machine_tables_;
  const std::string mirror_obstacle_;
  std::vector<Watch> watches_;
  const std::unique_ptr<const CellEnds> ends_;
  const std::unique_ptr<const Deriver> deriver_;
};

}  // namespace fensi::mapping
