// Mappings out of the whole function table, right by their types, and rows of a source that try them: for tests of what
// holds for every mapping that is accepted. One seed gives one mapping; a test says the seed of its failure.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "mapping/index.h"
#include "mapping/template/compile.h"

namespace fensi::mapping {

/// FENSI_MAPPINGS, or `otherwise`; fewer where a sanitizer slows every step.
int Runs(int otherwise);

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

/// "{REFERENCE | step | …}" that ends as bytes.
std::string RandomPart(Dice* dice, const std::string& reference);
/// One to four parts of these references, with or without literals between.
std::string RandomTemplate(Dice* dice, const std::vector<std::string>& references);
/// As CompileText of random_templates.h, with zones and the messages of deploy/examples/visitors.proto.
std::optional<Template> CompileWithProtos(const std::string& text, std::vector<Slot>* slots);

/// A mapping file of one index; all kinds of `each:`, conditions, `exists`, `shared`, `unique`, expiry, period tables,
/// salts and splits. Not every one is accepted.
std::string RandomMapping(Dice* dice);
/// Null: not accepted.
std::shared_ptr<const Index> LoadText(const std::string& file);

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
