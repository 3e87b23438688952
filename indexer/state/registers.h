// What is remembered of a source column and of a family: the newest put and the newest markers (M1, M2), and for an
// index without a source table to read, the older versions that a version delete may uncover.
//
// Pure values, not thread-safe. A timestamp of kNoTime means "none".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::indexer {

constexpr int64_t kNoTime = -1;
/// Values above this are not kept in the state; the row has no entry while such a put is visible.
constexpr size_t kMaxKeptValueBytes = 8 << 20;
/// Older versions of one column that are kept without a source table, and how large they may be together.
constexpr size_t kMaxKeptVersions = 64;
constexpr size_t kMaxKeptVersionBytes = kMaxKeptValueBytes / 8;
/// Deleted versions that are kept of one column or family without a source table.
constexpr size_t kMaxDeletedVersions = 4096;

struct PutRegister {
  int64_t timestamp = kNoTime;
  uint64_t sequence_id = 0;  // 0: the stream has none
  int64_t expires_at = INT64_MAX;
  bool dropped = false;  // the value was too large
  std::string value;
  bool operator==(const PutRegister&) const = default;
};

/// A put on its way into a register.
struct IncomingPut {
  int64_t timestamp;
  uint64_t sequence_id;
  int64_t expires_at;
  std::string_view value;
};

struct FamilyState {
  std::string family;
  int64_t marker = kNoTime;  // newest DeleteFamily
  uint64_t marker_sequence = 0;
  int64_t version_marker = kNoTime;       // newest DeleteFamilyVersion
  std::vector<int64_t> deleted_versions;  // above the marker, sorted; only without a source table
  int64_t unsure = kNoTime;               // newest of them that was too much to keep
  bool operator==(const FamilyState&) const = default;

  /// Each answers whether the register changed.
  bool DeleteFamily(int64_t timestamp, uint64_t sequence_id);
  bool DeleteFamilyVersion(int64_t timestamp, bool keep_versions);
  int64_t Newest() const { return marker > version_marker ? marker : version_marker; }
};

/// The families of one source row that have markers; few, so a search is a walk.
struct FamilyStates {
  int64_t version = kNoTime;  // HBase timestamp of the cell they are kept in, where they have one of their own
  std::vector<FamilyState> families;
  const FamilyState* Find(std::string_view family) const;
  FamilyState* FindOrAdd(std::string_view family);
  int64_t Newest() const;
};

struct ColumnState {
  std::string family;
  std::string qualifier;
  PutRegister newest;
  int64_t marker = kNoTime;  // newest DeleteColumn
  uint64_t marker_sequence = 0;
  int64_t version_marker = kNoTime;       // newest Delete of one version
  std::vector<PutRegister> kept;          // older puts, newest first; with a source table only the ends of their TTLs
  std::vector<int64_t> deleted_versions;  // above the marker, sorted
  int64_t forgotten = kNoTime;            // newest older put that was too much to keep
  int64_t unsure = kNoTime;               // newest delete that was too much to keep
  bool told = false;                      // that the column is Uncertain()
  bool operator==(const ColumnState&) const = default;

  /// Each answers whether a register changed. A put never replaces one with a greater (timestamp, sequence id); at
  /// equal timestamp and sequence id the later in the log wins, a put without sequence id never replaces one with (M2).
  bool Put(const IncomingPut& put, bool keep_versions);
  bool DeleteColumn(int64_t timestamp, uint64_t sequence_id);
  bool DeleteVersion(int64_t timestamp, bool keep_versions);

  int64_t Newest() const;
  /// When the put of this time goes by a TTL of its own; INT64_MAX: never, or not known.
  int64_t ExpiresAt(int64_t timestamp) const;
  /// The put that readers of the source see by the registers alone; null: none. `markers`, those of the family, may be
  /// null.
  const PutRegister* Visible(const FamilyState* markers) const;
  /// Whether a put of that time lies above the markers of the column and of its family; version deletes are not asked.
  bool AboveMarkers(int64_t timestamp, const FamilyState* markers) const;
  /// A version delete may have uncovered an older put (M8a).
  bool VersionDoubt(const FamilyState* markers) const;
  /// A version delete hides the newest put, and which older one it uncovers was too much to keep.
  bool Uncertain(const FamilyState* markers) const;
  /// Another put of the same time and sequence id is known: which of both the log told last cannot be seen when it
  /// tells them again.
  bool Tied(const IncomingPut& put, bool keep_versions) const;
  /// Whether the put's version was deleted is not known any more.
  bool Unsure(const IncomingPut& put, const FamilyState* markers) const;
  /// Keeps the newest put alone.
  void ForgetKept();
  /// A put written at or below a marker that did not surely come after it (M8b): the source may show it once a major
  /// compaction has dropped the marker.
  bool LatePut(const IncomingPut& put, const FamilyState* markers) const;

 private:
  void Keep(PutRegister put, bool keep_versions);
  /// What lies below the column's own marker.
  void EraseHidden();
  bool VersionDeleted(int64_t timestamp, const FamilyState* markers) const;
};

}  // namespace fensi::indexer
