#include "tests/indexer/support/scenario.h"

#include <charconv>
#include <sstream>
#include <stdexcept>

namespace fensi::testing {
Cell ParseCell(const std::string& text) {
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

ChangeEvent Scenario::Happens(const std::string& cells, const std::string& row) {
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

void Scenario::Tells(const std::vector<ChangeEvent>& events) {
  const consumer::Batch batch = world_.MakeBatch(events);
  Must(maintainer_->Apply(batch));
  Must(world_.RereadSource(maintainer_.get(), batch));
}

void Scenario::DiesBeforeStates(const std::vector<ChangeEvent>& batch) {
  bool index_written = false;
  world_.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string& table) {
    const bool write = call == store::FaultyStore::Call::kPut || call == store::FaultyStore::Call::kDelete;
    if (!write) return Status();
    index_written |= table == world_.index().table();
    const bool state = table == world_.index().state_table();
    // What is removed there before, is removed.
    const bool states = state && index_written && call == store::FaultyStore::Call::kPut;
    return states ? store::FaultyStore::Lost() : Status();
  });
  if (maintainer_->Apply(world_.MakeBatch(batch)).ok()) throw std::logic_error("the batch did not die");
  Restarts();
}

void Scenario::Restarts() {
  world_.faulty()->SetObserver({});
  world_.faulty()->Heal();
  maintainer_ = world_.NewMaintainer(false);
}

}  // namespace fensi::testing
