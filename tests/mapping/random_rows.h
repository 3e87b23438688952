// Rows of a source that try mappings, out of one seed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/index.h"

namespace fensi::mapping {

class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}

  size_t Below(size_t n) { return static_cast<size_t>(engine_() % n); }
  bool OneIn(size_t n) { return Below(n) == 0; }
  int64_t Number() { return static_cast<int64_t>(engine_()); }
  template <typename T>
  const T& Of(const std::vector<T>& list) {
    return list[Below(list.size())];
  }
  std::string Text(std::initializer_list<const char*> list) { return *(list.begin() + Below(list.size())); }

 private:
  std::mt19937_64 engine_;
};

struct SourceCell {
  std::string family, qualifier, value;
  int64_t timestamp = 1;
};
struct SourceRow {
  std::string row;
  std::vector<SourceCell> cells;

  std::vector<VisibleCell> View() const;
  const SourceCell* Find(std::string_view family, std::string_view qualifier) const;
};
/// Rows of different keys whose names and values are made of the same few pieces, so that what is not kept apart meets.
std::vector<SourceRow> RandomRows(Dice* dice, size_t count);
/// A value that many functions can do something with: digits, four or eight bytes, dates, lists, JSON, messages, zeros.
std::string RandomValue(Dice* dice);

}  // namespace fensi::mapping
