// Registers of a source column and of a family: the newest put and the newest markers (M1, M2). For an index without a
// source table also the older versions that a version delete may uncover.
//
// Pure values, not thread-safe. A timestamp of kNoTime means "none".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::indexer {

constexpr int64_t kNoTime = -1;
/// Larger values are not kept in the state; the row has no entry while such a put is visible.
constexpr size_t kMaxKeptValueBytes = 8 << 20;
/// Older versions of one column that are kept without a source table, and their total size.
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
  int64_t unsure = kNoTime;               // newest deleted version that was not kept
  bool operator==(const FamilyState&) const = default;

  /// Each returns whether the register changed.
  bool DeleteFamily(int64_t timestamp, uint64_t sequence_id);
  bool DeleteFamilyVersion(int64_t timestamp, bool keep_versions);
  int64_t Newest() const { return marker > version_marker ? marker : version_marker; }
};

/// The families of one source row that have markers. They are few, so a search is linear.
struct FamilyStates {
  int64_t version = kNoTime;  // HBase timestamp of their cell, if they have a cell of their own
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
  int64_t forgotten = kNoTime;            // newest older put that was not kept
  int64_t unsure = kNoTime;               // newest delete that was not kept
  bool told = false;                      // it was reported that the column is Uncertain()
  bool operator==(const ColumnState&) const = default;

  /// Each returns whether a register changed. A put never replaces one with a greater (timestamp, sequence id). At
  /// equal timestamp and sequence id the later in the log wins. A put without sequence id never replaces one with (M2).
  bool Put(const IncomingPut& put, bool keep_versions);
  bool DeleteColumn(int64_t timestamp, uint64_t sequence_id);
  bool DeleteVersion(int64_t timestamp, bool keep_versions);

  int64_t Newest() const;
  /// When the put of this time ends by a TTL of its own; INT64_MAX: never, or unknown.
  int64_t ExpiresAt(int64_t timestamp) const;
  /// The put that readers of the source see, by the registers alone; null: none. `markers`, those of the family, may be
  /// null.
  const PutRegister* Visible(const FamilyState* markers) const;
  /// True if a put of that time is above the markers of the column and of its family; ignores version deletes.
  bool AboveMarkers(int64_t timestamp, const FamilyState* markers) const;
  /// True if a version delete may have uncovered an older put (M8a).
  bool VersionDoubt(const FamilyState* markers) const;
  /// True if a version delete hides the newest put, and the older one that it uncovers was not kept.
  bool Uncertain(const FamilyState* markers) const;
  /// True if another put of the same time and sequence id is known: on redelivery it cannot be seen which of both is
  /// later in the log.
  bool Tied(const IncomingPut& put, bool keep_versions) const;
  /// True if it is not known any more whether the put's version was deleted.
  bool Unsure(const IncomingPut& put, const FamilyState* markers) const;
  /// Keeps only the newest put.
  void ForgetKept();
  /// True for a put at or below a marker that did not surely come after the marker (M8b): the source may show the put
  /// once a major compaction has dropped the marker.
  bool LatePut(const IncomingPut& put, const FamilyState* markers) const;

 private:
  void Keep(PutRegister put, bool keep_versions);
  /// Removes what is at or below the column's own marker.
  void EraseHidden();
  bool VersionDeleted(int64_t timestamp, const FamilyState* markers) const;
};

}  // namespace fensi::indexer
