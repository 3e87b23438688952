// Counts the entries of each key in a sample, and finds keys that surely collect too many. The bounds hold for all keys
// of the table at once, with those that the sample lacks. Pure; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::mapping {

/// A key with its share of all entries. The true share is between the bounds, for all keys at once at 95 %.
struct KeyShare {
  std::string key;
  size_t entries = 0;  // of the sample
  double share = 0;    // of the sample
  double at_least = 0;
  double at_most = 1;
};

class KeyTally {
 public:
  /// Entries of a group, for example of one source row, were not drawn independently. Those that share a key count as
  /// one draw. All entries of a group come one after the other.
  void Add(std::string_view key, size_t group);

  size_t entries() const { return entries_; }
  size_t keys() const { return keys_.size(); }

  /// The keys with the most entries, largest first.
  std::vector<KeyShare> Largest(size_t most) const;
  /// No key outside of the sample has a larger share; part of the same 95 %.
  double UnseenAtMost() const;
  /// No key has a larger share, except the `most` largest of the sample; part of the same 95 %.
  double OthersAtMost(size_t most) const;
  /// The largest key that surely has more than one entry in a hundred, and more than an even share. Of tables with 50
  /// and more even keys, at most one in a hundred has such a key by chance.
  std::optional<KeyShare> TooLarge() const;

 private:
  struct Count {
    size_t entries = 0;
    size_t group = SIZE_MAX;  // the last one
    size_t in_group = 0;
    double squares = 0;  // of the entries of each group
  };
  struct Draws {
    double hits = 0, all = 0;
  };
  using Keys = std::map<std::string, Count, std::less<>>;

  /// Largest first.
  std::vector<const Keys::value_type*> Ordered() const;
  Draws DrawsOf(const Count& count) const;
  KeyShare ShareOf(const std::string& key, const Count& count) const;

  Keys keys_;
  size_t entries_ = 0;
};

/// The probability that at least `hits` of `draws` hit something with this share. Pure.
double UpperTail(double hits, double draws, double share);

}  // namespace fensi::mapping
