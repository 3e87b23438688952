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

#include <charconv>
#include <initializer_list>
#include <sstream>

#include "support/world.h"

namespace fensi::testing {

inline Cell ParseCell(const std::string& text) {
  const size_t at = text.rfind('@');
  Cell cell{.family = "f"};
  std::from_chars(text.data() + at + 1, text.data() + text.size(), cell.timestamp);
  const std::string what = text.substr(0, at);
  const size_t equals = what.find('='), colon = what.find(':');
  if (equals != std::string::npos) {
    cell.qualifier = what.substr(0, equals);
    cell.value = what.substr(equals + 1);
    return cell;
  }
  const std::string kind = what.substr(0, colon);
  if (colon != std::string::npos) cell.qualifier = what.substr(colon + 1);
  cell.type = kind == "DF"    ? CellType::kDeleteFamily
              : kind == "DFV" ? CellType::kDeleteFamilyVersion
              : kind == "DC"  ? CellType::kDeleteColumn
              : kind == "D"   ? CellType::kDelete
                              : CellType::kUnknownDelete;
  return cell;
}

class Scenario {
 public:
  enum class Source { kKept, kRead };

  explicit Scenario(const Rule& rule, Source source = Source::kKept, const std::string& options = "")
      : world_(rule, source == Source::kRead, options), maintainer_(world_.NewMaintainer(true)) {}

  /// The next event of row "r" at the source; its sequence id counts up.
  ChangeEvent Happens(const std::string& cells, const std::string& row = "r") {
    ChangeEvent event{.table = "source", .row = row, .sequence_id = ++sequence_};
    std::istringstream words(cells);
    for (std::string word; words >> word;) event.cells.push_back(ParseCell(word));
    ChangeEvent at_source = event;
    for (Cell& cell : at_source.cells) {
      if (cell.type == CellType::kUnknownDelete) cell.type = CellType::kDeleteColumn;
    }
    world_.ApplyToSource(at_source);
    return event;
  }

  /// One batch, applied to its end.
  void Tells(const std::vector<ChangeEvent>& batch) { Must(maintainer_->Apply(world_.MakeBatch(batch))); }

  /// One batch whose index writes happen and whose state write does not; the next batch comes to a new owner.
  void DiesBeforeStates(const std::vector<ChangeEvent>& batch) {
    bool index_written = false;
    world_.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string& table) {
      const bool write = call == store::FaultyStore::Call::kPut || call == store::FaultyStore::Call::kDelete;
      if (!write) return Status();
      index_written |= table == world_.index().table();
      const bool state = table == world_.index().state_table();
      return state && index_written ? store::FaultyStore::Lost() : Status();
    });
    if (maintainer_->Apply(world_.MakeBatch(batch)).ok()) throw std::logic_error("the batch did not die");
    Restarts();
  }

  void Restarts() {
    world_.faulty()->SetObserver({});
    world_.faulty()->Heal();
    maintainer_ = world_.NewMaintainer(false);
  }

  std::string Difference() const { return world_.Difference(); }
  Entries Index() const { return world_.Actual(); }
  World* world() { return &world_; }

 private:
  World world_;
  std::unique_ptr<indexer::Maintainer> maintainer_;
  uint64_t sequence_ = 0;
};

}  // namespace fensi::testing
