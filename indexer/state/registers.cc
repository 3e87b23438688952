#include "indexer/state/registers.h"

#include <algorithm>

namespace fensi::indexer {
namespace {

bool Supersedes(const IncomingPut& put, const PutRegister& old) {
  if (put.timestamp != old.timestamp) return put.timestamp > old.timestamp;
  // M2: at equal timestamps the higher sequence id wins; at equal ids the later one in the log.
  return put.sequence_id >= old.sequence_id;
}

PutRegister MakeRegister(const IncomingPut& put) {
  PutRegister made{put.timestamp, put.sequence_id, put.expires_at, put.value.size() > kMaxKeptValueBytes, {}};
  if (!made.dropped) made.value = put.value;
  return made;
}

/// Must an older put be remembered? The source keeps its value, but a read does not tell when it goes.
bool IsToKeep(int64_t expires_at, bool keep_versions) { return keep_versions || expires_at != INT64_MAX; }

PutRegister Older(PutRegister put, bool keep_versions) {
  if (!keep_versions) put.value.clear();
  return put;
}

bool HasTime(const std::vector<int64_t>& times, int64_t time) {
  return std::binary_search(times.begin(), times.end(), time);
}

/// A marker hides what lies at or below it, deleted one by one or not.
void EraseUpTo(int64_t marker, std::vector<int64_t>* times) {
  times->erase(times->begin(), std::upper_bound(times->begin(), times->end(), marker));
}

bool RaiseMarker(int64_t timestamp, uint64_t sequence_id, int64_t* marker, uint64_t* marker_sequence) {
  if (timestamp < *marker || (timestamp == *marker && sequence_id <= *marker_sequence)) return false;
  *marker = timestamp;
  *marker_sequence = sequence_id;
  return true;
}

bool RaiseVersionMarker(int64_t timestamp, int64_t* marker) {
  const bool changed = timestamp > *marker;
  *marker = std::max(*marker, timestamp);
  return changed;
}

bool AddDeleted(int64_t timestamp, std::vector<int64_t>* deleted, int64_t* unsure) {
  const auto place = std::lower_bound(deleted->begin(), deleted->end(), timestamp);
  if (place != deleted->end() && *place == timestamp) return false;
  if (deleted->size() == kMaxDeletedVersions && place == deleted->begin()) {
    return RaiseVersionMarker(timestamp, unsure);
  }
  deleted->insert(place, timestamp);
  if (deleted->size() <= kMaxDeletedVersions) return true;
  RaiseVersionMarker(deleted->front(), unsure);
  deleted->erase(deleted->begin());
  return true;
}

/// The value of a put that no reader sees again; its time still counts.
void Hide(PutRegister* put) {
  std::string().swap(put->value);
  put->dropped = false;
}

/// A marker hides what lies at or below it; one that surely came after the put also takes it along for ever.
bool SurelyAfter(uint64_t marker_sequence, uint64_t put_sequence) {
  return put_sequence > 0 && marker_sequence >= put_sequence;
}

}  // namespace

bool FamilyState::DeleteFamily(int64_t timestamp, uint64_t sequence_id) {
  const bool changed = RaiseMarker(timestamp, sequence_id, &marker, &marker_sequence);
  EraseUpTo(marker, &deleted_versions);
  return changed;
}

bool FamilyState::DeleteFamilyVersion(int64_t timestamp, bool keep_versions) {
  const bool raised = RaiseVersionMarker(timestamp, &version_marker);
  if (!keep_versions || timestamp <= marker) return raised;
  return AddDeleted(timestamp, &deleted_versions, &unsure) || raised;
}

const FamilyState* FamilyStates::Find(std::string_view family) const {
  for (const FamilyState& registers : families) {
    if (registers.family == family) return &registers;
  }
  return nullptr;
}

FamilyState* FamilyStates::FindOrAdd(std::string_view family) {
  for (FamilyState& registers : families) {
    if (registers.family == family) return &registers;
  }
  families.push_back({.family = std::string(family)});
  return &families.back();
}

int64_t FamilyStates::Newest() const {
  int64_t newest = kNoTime;
  for (const FamilyState& registers : families) newest = std::max(newest, registers.Newest());
  return newest;
}

bool ColumnState::Put(const IncomingPut& put, bool keep_versions) {
  if (newest.timestamp != kNoTime && !Supersedes(put, newest)) {
    const auto same_time = [&](const PutRegister& older) { return older.timestamp == put.timestamp; };
    const bool replaces = std::any_of(kept.begin(), kept.end(), same_time);  // one that may have an end of its own
    // M24: the later of two puts of one time decides when the put ends.
    if (put.timestamp == newest.timestamp || !(replaces || IsToKeep(put.expires_at, keep_versions))) return false;
    const std::vector<PutRegister> before = kept;
    Keep(Older(MakeRegister(put), keep_versions), keep_versions);
    return kept != before;
  }
  PutRegister made = MakeRegister(put);
  if (made.timestamp <= marker) Hide(&made);
  if (made == newest) return false;
  if (IsToKeep(newest.expires_at, keep_versions) && newest.timestamp != kNoTime && newest.timestamp != made.timestamp) {
    Keep(Older(std::move(newest), keep_versions), keep_versions);
  }
  newest = std::move(made);
  return true;
}

void ColumnState::Keep(PutRegister put, bool keep_versions) {
  // The source may show a put below a marker that it has compacted away, and does not tell its end.
  if (!keep_versions && put.timestamp <= marker && SurelyAfter(marker_sequence, put.sequence_id)) return;
  auto place =
      std::find_if(kept.begin(), kept.end(), [&put](const PutRegister& old) { return old.timestamp <= put.timestamp; });
  if (place != kept.end() && place->timestamp == put.timestamp) {
    if (put.sequence_id >= place->sequence_id) *place = std::move(put);
  } else {
    kept.insert(place, std::move(put));
  }
  // M24: with a source table the end of a hidden put stays known: the source may show the put again.
  if (keep_versions) EraseHidden();
  size_t bytes = 0;
  size_t fits = 0;
  while (fits < kept.size() && fits < kMaxKeptVersions && bytes + kept[fits].value.size() <= kMaxKeptVersionBytes) {
    bytes += kept[fits++].value.size();
  }
  if (fits == kept.size()) return;
  forgotten = std::max(forgotten, kept[fits].timestamp);
  kept.resize(fits);
}

void ColumnState::EraseHidden() {
  while (!kept.empty() && kept.back().timestamp <= marker) kept.pop_back();
  EraseUpTo(marker, &deleted_versions);
  if (newest.timestamp <= marker) Hide(&newest);
}

void ColumnState::ForgetKept() {
  if (!kept.empty()) forgotten = std::max(forgotten, kept.front().timestamp);
  kept.clear();
}

bool ColumnState::DeleteColumn(int64_t timestamp, uint64_t sequence_id) {
  const bool changed = RaiseMarker(timestamp, sequence_id, &marker, &marker_sequence);
  if (changed) EraseHidden();
  return changed;
}

bool ColumnState::DeleteVersion(int64_t timestamp, bool keep_versions) {
  const bool raised = RaiseVersionMarker(timestamp, &version_marker);
  if (!keep_versions || timestamp <= marker) return raised;
  return AddDeleted(timestamp, &deleted_versions, &unsure) || raised;
}

int64_t ColumnState::Newest() const { return std::max({newest.timestamp, marker, version_marker}); }

int64_t ColumnState::ExpiresAt(int64_t timestamp) const {
  if (newest.timestamp == timestamp) return newest.expires_at;
  const auto put =
      std::find_if(kept.begin(), kept.end(), [&](const auto& older) { return older.timestamp == timestamp; });
  return put == kept.end() ? INT64_MAX : put->expires_at;
}

bool ColumnState::AboveMarkers(int64_t timestamp, const FamilyState* markers) const {
  // M1: visible is a put above every marker of its column and family. A marker of the same time wins (M2).
  return timestamp > marker && (markers == nullptr || timestamp > markers->marker);
}

bool ColumnState::VersionDeleted(int64_t timestamp, const FamilyState* markers) const {
  return HasTime(deleted_versions, timestamp) || (markers != nullptr && HasTime(markers->deleted_versions, timestamp));
}

const PutRegister* ColumnState::Visible(const FamilyState* markers) const {
  if (newest.timestamp == kNoTime || !AboveMarkers(newest.timestamp, markers)) return nullptr;
  if (!VersionDeleted(newest.timestamp, markers)) return &newest;
  for (const PutRegister& put : kept) {
    if (!AboveMarkers(put.timestamp, markers)) return nullptr;
    if (!VersionDeleted(put.timestamp, markers)) return &put;
  }
  return nullptr;
}

bool ColumnState::VersionDoubt(const FamilyState* markers) const {
  if (newest.timestamp == kNoTime || !AboveMarkers(newest.timestamp, markers)) return false;
  return version_marker >= newest.timestamp || (markers != nullptr && markers->version_marker >= newest.timestamp);
}

bool ColumnState::Uncertain(const FamilyState* markers) const {
  if (forgotten == kNoTime || !AboveMarkers(forgotten, markers)) return false;
  const PutRegister* visible = Visible(markers);
  return visible == nullptr || visible->timestamp < forgotten;
}

bool ColumnState::Unsure(const IncomingPut& put, const FamilyState* markers) const {
  const int64_t newest_unsure = std::max(unsure, markers == nullptr ? kNoTime : markers->unsure);
  if (put.timestamp > newest_unsure || !AboveMarkers(put.timestamp, markers)) return false;
  const auto same = [&](const PutRegister& known) { return known.timestamp == put.timestamp; };
  return !same(newest) && std::none_of(kept.begin(), kept.end(), same);
}

bool ColumnState::Tied(const IncomingPut& put, bool keep_versions) const {
  const auto same_time = [&](const PutRegister& known) { return known.timestamp == put.timestamp; };
  const bool is_newest = same_time(newest);
  const auto known = is_newest ? kept.end() : std::find_if(kept.begin(), kept.end(), same_time);
  if (!is_newest && known == kept.end()) return false;
  const PutRegister& other = is_newest ? newest : *known;
  if (other.sequence_id != put.sequence_id) return false;
  if (other.expires_at != put.expires_at) return true;
  if (is_newest ? newest.timestamp <= marker : !keep_versions) return false;  // its value is not kept
  return other.dropped ? put.value.size() <= kMaxKeptValueBytes : other.value != put.value;
}

bool ColumnState::LatePut(const IncomingPut& put, const FamilyState* markers) const {
  if (AboveMarkers(put.timestamp, markers)) return false;
  if (put.timestamp <= marker && SurelyAfter(marker_sequence, put.sequence_id)) return false;
  return markers == nullptr || put.timestamp > markers->marker ||
         !SurelyAfter(markers->marker_sequence, put.sequence_id);
}

}  // namespace fensi::indexer
