#include "indexer/mirror/known_columns.h"

#include <xxhash.h>

#include <algorithm>

#include "base/hbase_limits.h"
#include "indexer/mirror/floors.h"
#include "indexer/remedies.h"
#include "indexer/state/layout.h"

namespace fensi::indexer {
namespace {

constexpr uint64_t kOtherSeed = 0x9e3779b97f4a7c15;  // makes the other half of a name
constexpr int kColumnBucketBits = 10;
constexpr size_t kNameBytes = 48;  // about what one takes in a set
constexpr size_t kFewCells = 100;  // of the first page: behind the row's columns stand those of others
constexpr size_t kManyCells = 10'000;
constexpr int64_t kVersion = 1;  // of every cell: it only is there

void AppendCounted(std::string_view bytes, std::string* out) {
  size_t length = bytes.size();
  for (; length >= 0x80; length >>= 7) out->push_back(static_cast<char>(length | 0x80));
  out->push_back(static_cast<char>(length));
  out->append(bytes);
}

}  // namespace

KnownColumns::KnownColumns(const mapping::Index* index, store::Store* store, PhaseClock* phases, size_t most_bytes)
    : index_(index), store_(store), phases_(phases), most_names_(std::max<size_t>(1, most_bytes / (2 * kNameBytes))) {}

KnownColumns::Name KnownColumns::NameOf(std::string_view row, std::string_view family, std::string_view qualifier) {
  const uint64_t of_row = XXH3_64bits_withSeed(row.data(), row.size(), kOtherSeed);
  const uint64_t of_family = XXH3_64bits_withSeed(family.data(), family.size(), of_row);
  return {XXH3_64bits_withSeed(qualifier.data(), qualifier.size(), of_family), Floors::NameOf(row, family, qualifier)};
}

std::string KnownColumns::QualifierOf(std::string_view row, std::string_view family, std::string_view qualifier) {
  std::string name;
  AppendCounted(row, &name);
  AppendCounted(family, &name);
  return name.append(qualifier);
}

void KnownColumns::Note(std::string_view row, std::string_view family, std::string_view qualifier) {
  const Name name = NameOf(row, family, qualifier);
  if (young_.contains(name) || old_.contains(name)) return;
  young_.insert(name);
  noted_[BucketOf(row, kColumnBucketBits)].push_back(QualifierOf(row, family, qualifier));
}

Status KnownColumns::Save() {
  if (noted_.empty()) return {};
  const InPhase phase(phases_, Phase::kWriteStates);
  std::vector<store::RowMutation> rows;
  for (auto& [bucket, qualifiers] : noted_) {
    rows.push_back({bucket, {}});
    for (std::string& qualifier : qualifiers) {
      rows.back().cells.push_back({.family = kIndexFamily, .qualifier = std::move(qualifier), .timestamp = kVersion});
    }
  }
  noted_.clear();
  const std::string& table = index_->state_table();
  FENSI_ASSIGN_OR_RETURN(const std::vector<store::RejectedRow> written, store_->Put(table, rows));
  if (!written.empty()) {
    return Status(StatusCode::kConfiguration, "state table " + table + " refuses columns of a source row: " +
                                                  written.front().reason.words() + ". " + CompareTableRemedy());
  }
  if (young_.size() >= most_names_) old_ = std::exchange(young_, {});
  return {};
}

Status KnownColumns::Find(const std::string& row, const std::string& family, std::vector<std::string>* qualifiers) {
  const std::string bucket = BucketOf(row, kColumnBucketBits), prefix = QualifierOf(row, family, "");
  if (const auto noted = noted_.find(bucket); noted != noted_.end()) {
    for (const std::string& name : noted->second) {
      if (name.starts_with(prefix)) qualifiers->push_back(name.substr(prefix.size()));
    }
  }
  // A column of the empty name is the prefix itself.
  const store::GetRequest whole{.row = bucket, .columns = {{kIndexFamily, prefix}}};
  FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> first, store_->Get(index_->state_table(), {&whole, 1}));
  if (!first.front().cells.empty()) qualifiers->push_back("");
  store::ScanRequest request{.start_row = bucket, .stop_row = RowAfter(bucket), .columns = {{kIndexFamily, {}}}};
  request.behind = store::ColumnPlace{kIndexFamily, prefix};
  request.max_cells = kFewCells;
  for (bool more = true; more; request.max_cells = kManyCells) {
    FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> page, store_->Scan(index_->state_table(), request));
    more = store::ToNextPage(page, &request);
    for (const store::Row& part : page) {
      for (const Cell& cell : part.cells) {
        if (cell.qualifier.starts_with(prefix)) {
          qualifiers->push_back(cell.qualifier.substr(prefix.size()));
        } else {
          more = false;
        }
      }
    }
  }
  std::sort(qualifiers->begin(), qualifiers->end());
  qualifiers->erase(std::unique(qualifiers->begin(), qualifiers->end()), qualifiers->end());
  return {};
}

}  // namespace fensi::indexer
