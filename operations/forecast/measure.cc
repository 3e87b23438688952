#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/hbase_limits.h"
#include "indexer/tables.h"
#include "mapping/lookup.h"
#include "operations/forecast/sample.h"
#include "operations/trial/trial.h"
#include "store/open_store.h"
#include "sweep/scan/derivation.h"
#include "sweep/scan/table_list.h"

namespace fensi::operations {
namespace {

/// Counts what one event writes.
class WriteCounter final : public TrialObserver {
 public:
  WriteCounter(const mapping::Index& index) : index_(index) {}

  void Written(const std::string& table, const store::RowMutation& mutation) override {
    for (const Cell& cell : mutation.cells) {
      if (table == index_.state_table()) {
        CountState(mutation.row, cell);
      } else {
        (cell.type == CellType::kPut ? puts : removals) += 1;
      }
    }
  }
  void Refused(const consumer::DeadLetter&) override {}

  void Reset() {
    puts = removals = state_writes = states = state_bytes = 0;
    states_.clear();
  }
  /// The states since the last Reset.
  void AddStatesTo(CompressedSize* size) const {
    for (const auto& [place, cell] : states_) {
      const auto& [row, family, qualifier] = place;
      size->Add(row, family, qualifier, cell.value, cell.timestamp);
    }
  }

  double puts = 0, removals = 0, state_writes = 0;
  double states = 0, state_bytes = 0;  // more than before

 private:
  using Place = std::tuple<std::string, std::string, std::string>;

  void CountState(const std::string& row, const Cell& cell) {
    if (cell.family == kIndexFamilyOfStates) return;
    state_writes += 1;
    const Place place(row, cell.family, cell.qualifier);
    const auto there = bytes_.find(place);
    if (there != bytes_.end()) {
      states -= 1;
      state_bytes -= there->second;
      bytes_.erase(there);
      states_.erase(place);
    }
    if (cell.type != CellType::kPut) return;
    states_.emplace(place, cell);
    const auto bytes = static_cast<double>(StoredBytes(row, cell.family, cell.qualifier, cell.value.size(), false));
    bytes_.emplace(place, bytes);
    states += 1;
    state_bytes += bytes;
  }

  const mapping::Index& index_;
  std::map<Place, double> bytes_;
  std::map<Place, Cell> states_;
};

/// The cells of one index row of a source row. Each index row is as likely as the others.
class ChosenRow {
 public:
  /// `number`: of the index row among those of the source row, from one on.
  void Offer(std::string_view row, size_t number, std::mt19937_64* random) {
    if ((*random)() % number != 0) return;
    row_ = row;
    cells_.clear();
  }
  void Add(size_t family, const mapping::Entry& entry, int64_t newest) {
    if (entry.row == row_) cells_.push_back({family, std::string(entry.qualifier), std::string(entry.value), newest});
  }
  void AddTo(const std::vector<mapping::FamilySpec>& families, std::vector<CompressedSize>* sizes) const {
    for (const IndexCell& cell : cells_) {
      (*sizes)[cell.family].Add(row_, families[cell.family].name, cell.qualifier, cell.value, cell.newest);
    }
  }

 private:
  struct IndexCell {
    size_t family = 0;
    std::string qualifier, value;
    int64_t newest = 0;
  };
  std::string row_;
  std::vector<IndexCell> cells_;
};

CompressedSize CompressedSizeOf(const store::FamilyDescriptor& family) {
  return {family.compression, family.block_size.value_or(store::kDefaultBlockSize)};
}

ChangeEvent EventOf(const std::string& table, const store::Row& row) {
  ChangeEvent event;
  event.table = table;
  event.row = row.row;
  event.cells = row.cells;
  const auto older = [](const Cell& a, const Cell& b) { return a.timestamp < b.timestamp; };
  std::stable_sort(event.cells.begin(), event.cells.end(), older);
  return event;
}

/// A stateless index reads its source. If there is none, it keeps states.
Result<std::unique_ptr<Trial>> StartTrial(const std::shared_ptr<const mapping::Index>& index,
                                          const SourceSample& sample) {
  if (index->scheme() != mapping::Scheme::kStateless) return Trial::Start(index);
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<store::Store> store, store::OpenMemoryStore(SystemClock()));
  std::set<std::string> families;
  for (const auto& column : sweep::WatchedColumns(*index)) families.insert(column.family);
  store::TableDescriptor source{index->source_table(), {}};
  for (const std::string& family : families) source.families.push_back({.name = family});
  FENSI_RETURN_IF_ERROR(store->CreateTable(source, {}));
  for (const store::Row& row : sample.rows) {
    if (row.cells.empty()) continue;
    const store::RowMutation put{row.row, row.cells};
    FENSI_RETURN_IF_ERROR(store->Put(source.name, {&put, 1}).status());
  }
  return Trial::StartIn(std::move(store), index);
}

/// Values of each column, to change others to.
class Donors {
 public:
  explicit Donors(const std::vector<store::Row>& rows) {
    for (const store::Row& row : rows) {
      for (const Cell& cell : row.cells) {
        std::vector<const std::string*>& family = by_family_[cell.family];
        if (family.size() < kMost) family.push_back(&cell.value);
        std::vector<const std::string*>& column = by_column_[{cell.family, cell.qualifier}];
        if (column.size() < kMost && by_column_.size() < kMost) column.push_back(&cell.value);
      }
    }
  }

  const std::string& ValueFor(const Cell& cell, std::mt19937_64* random) const {
    constexpr size_t kFew = 10;  // values that other rows have
    const auto column = by_column_.find({cell.family, cell.qualifier});
    const bool own = column != by_column_.end() && column->second.size() >= kFew;
    const std::vector<const std::string*>& values = own ? column->second : by_family_.at(cell.family);
    return *values[std::uniform_int_distribution<size_t>(0, values.size() - 1)(*random)];
  }

 private:
  static constexpr size_t kMost = 10'000;
  std::map<std::string, std::vector<const std::string*>> by_family_;
  std::map<std::pair<std::string, std::string>, std::vector<const std::string*>> by_column_;
};

/// The row's next change: one of its watched columns gets another value.
ChangeEvent ChangeOf(const std::string& table, const store::Row& row, const Donors& donors, std::mt19937_64* random) {
  int64_t newest = 0;
  for (const Cell& cell : row.cells) newest = std::max(newest, cell.timestamp);
  Cell cell = row.cells[std::uniform_int_distribution<size_t>(0, row.cells.size() - 1)(*random)];
  cell.value = donors.ValueFor(cell, random);
  cell.timestamp = std::min(newest + 1, kMaxSourceTime);
  cell.tags.clear();
  ChangeEvent event;
  event.table = table;
  event.row = row.row;
  event.cells.push_back(std::move(cell));
  return event;
}

}  // namespace

void Measurement::Derive(const SourceSample& sample, int64_t now, Measured* out) {
  const std::vector<std::string> names = mapping::KeyPartNames(*index_);
  const sweep::Expectation expected(*index_, now);
  for (const store::FamilyDescriptor& family : indexer::IndexTablePlan(*index_, index_->table()).table.families) {
    out->families.push_back(CompressedSizeOf(family));
    out->families_apart.push_back(CompressedSizeOf(family));
    out->family_bytes.push_back(0);
  }
  const std::vector<mapping::FamilySpec>& families = index_->create().families;
  sweep::Derivation derivation(index_.get());
  for (size_t number = 0; number < sample.rows.size(); ++number) {
    const store::Row& row = sample.rows[number];
    const size_t group = sample.population.drawn[number].run;
    double entries = 0, bytes = 0;
    int64_t oldest = INT64_MAX;
    std::set<std::string> index_rows;
    ChosenRow chosen;
    bool unmappable = false;
    for (const Cell& cell : row.cells) oldest = std::min(oldest, cell.timestamp);
    const auto use = [&](const sweep::Derived& derived) {
      if (!derived.problems->empty() && !unmappable) {
        unmappable = true;
        if (out->unmappable++ == 0) {
          out->unmappable_row = row.row;
          out->reason = derived.problems->front().reason;
        }
      }
      const std::vector<std::string> first = mapping::FirstKeyParts(*index_, names, *derived.entries);
      for (size_t i = 0; i < derived.entries->size(); ++i) {
        const mapping::Entry entry = (*derived.entries)[i];
        if (!expected.Inside(entry)) continue;
        const auto size = static_cast<double>(
            StoredBytes(entry.row, entry.family, entry.qualifier, entry.value.size(), index_->expires_exactly()));
        entries += 1;
        bytes += size;
        if (index_rows.insert(std::string(entry.row)).second) chosen.Offer(entry.row, index_rows.size(), &random_);
        out->keys.Add(first[i], group);
        out->rows.Add(entry.row, group);
        out->cells.push_back({std::string(entry.row), number, derived.newest});
        for (size_t family = 0; family < families.size(); ++family) {
          if (families[family].name != entry.family) continue;
          out->families[family].Add(entry.row, entry.family, entry.qualifier, entry.value, derived.newest);
          out->family_bytes[family] += size;
          chosen.Add(family, entry, derived.newest);
        }
      }
      return Status();
    };
    (void)derivation.Derive(row, use);
    chosen.AddTo(families, &out->families_apart);
    out->entries.push_back(entries);
    out->index_bytes.push_back(bytes);
    out->index_rows.push_back(static_cast<double>(index_rows.size()));
    out->oldest.push_back(oldest);
  }
}

Status Measurement::Apply(const SourceSample& sample, bool changes, Measured* out) {
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<Trial> trial, StartTrial(index_, sample));
  const std::string& table = index_->source_table();
  WriteCounter counter(*index_);
  const Donors donors(sample.rows);
  out->state_cells.emplace(CompressedSizeOf(indexer::StateTablePlan(*index_, sample.starts).table.families.front()));
  for (const store::Row& row : sample.rows) {
    counter.Reset();
    if (!row.cells.empty()) FENSI_RETURN_IF_ERROR(trial->Apply({EventOf(table, row)}, &counter));
    counter.AddStatesTo(&*out->state_cells);
    out->states.push_back(counter.states);
    out->state_bytes.push_back(counter.state_bytes);
    if (!changes || row.cells.empty()) continue;
    counter.Reset();
    FENSI_RETURN_IF_ERROR(trial->Apply({ChangeOf(table, row, donors, &random_)}, &counter));
    out->puts.push_back(counter.puts);
    out->removals.push_back(counter.removals);
    out->state_writes.push_back(counter.state_writes);
  }
  return Status();
}

Result<Measured> Measurement::Run(const SourceSample& sample, int64_t now, bool changes) {
  Measured measured;
  Derive(sample, now, &measured);
  FENSI_RETURN_IF_ERROR(Apply(sample, changes, &measured));
  return measured;
}

}  // namespace fensi::operations
