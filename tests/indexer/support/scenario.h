// One row's story in a few lines: events as text, batches, deaths, restarts.
//
//   Scenario s(ValueRule());
//   const auto put = s.Happens("k=b@11"), gone = s.Happens("DF@12");
//   s.DiesBeforeStates({put});
//   s.Tells({put, gone});
//   EXPECT_EQ(s.Difference(), "");
// Cells: "k=b@11" put, "DC:k@10" column delete, "D:k@10" version delete, "DF@10" family delete, "DFV@10" family version
// delete, "?:k@10" a delete whose kind is lost (the source gets a column delete).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/indexer/support/world.h"

namespace fensi::testing {

/// A cell of family f as above.
Cell ParseCell(const std::string& text);

class Scenario {
 public:
  enum class Source { kKept, kRead };

  explicit Scenario(const Rule& rule, Source source = Source::kKept, const std::string& options = "")
      : world_(rule, source == Source::kRead, options), maintainer_(world_.NewMaintainer(true)) {}

  /// The next event of row "r" at the source; its sequence id counts up.
  ChangeEvent Happens(const std::string& cells, const std::string& row = "r");

  /// One batch, applied to its end, with the second look at rows in doubt.
  void Tells(const std::vector<ChangeEvent>& events);

  /// One batch whose index writes happen and whose state write does not; the next batch comes to a new owner.
  void DiesBeforeStates(const std::vector<ChangeEvent>& batch);
  void Restarts();

  std::string Difference() const { return world_.Difference(); }
  Entries Index() const { return world_.Actual(); }
  World* world() { return &world_; }

 private:
  World world_;
  std::unique_ptr<indexer::IndexMaintainer> maintainer_;
  uint64_t sequence_ = 0;
};

}  // namespace fensi::testing
