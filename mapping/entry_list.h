// The entries of one source row: index cells without timestamps, in one reusable buffer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::mapping {

/// An index cell. Views live as long as the EntryList is not changed.
struct Entry {
  std::string_view table;
  std::string_view row;
  std::string_view family;
  std::string_view qualifier;
  std::string_view value;
  /// Latest time (milliseconds) at which the entry must be gone with its source cells; INT64_MAX: none.
  int64_t expires_at = INT64_MAX;
  /// Of a period table: the time (milliseconds) of its name.
  int64_t period = 0;
  /// Time of the newest source cell of the entry, if its family has a TTL without `expire: exact`: the entry's version
  /// must be at least this time, or it expires before that cell. 0: it does not expire so.
  int64_t newest = 0;
};

/// True for the same index cell, whatever its value.
inline bool SameCell(const Entry& a, const Entry& b) {
  return a.qualifier == b.qualifier && a.row == b.row && a.family == b.family && a.table == b.table;
}

/// Positions of the parts of an entry in the bytes of a list, one after the other.
struct EntryPlace {
  EntryPlace(const Entry& entry, size_t begin);
  Entry In(std::string_view bytes) const;
  bool operator==(const EntryPlace&) const = default;

  size_t offset;                                  // an event may meet many rows of 256 MiB (mapping::Index::Derive)
  uint32_t table, row, family, qualifier, value;  // lengths, in this order
  int64_t expires_at;
  int64_t period;
  int64_t newest;
};

/// Grows to the largest row seen and then allocates no more. Not thread-safe.
class EntryList {
 public:
  void Clear() {
    bytes_.clear();
    places_.clear();
  }
  bool empty() const { return places_.empty(); }
  size_t size() const { return places_.size(); }
  Entry operator[](size_t i) const { return places_[i].In(bytes_); }
  /// The same entries in the same order.
  bool SameAs(const EntryList& other) const { return places_ == other.places_ && bytes_ == other.bytes_; }

  void Add(const Entry& entry);

 private:
  std::string bytes_;
  std::vector<EntryPlace> places_;
};

}  // namespace fensi::mapping
