#include "indexer/tables.h"

#include <algorithm>

#include "indexer/meta_row.h"
#include "indexer/state/layout.h"
#include "meta/versioned_meta_row.h"

namespace fensi::indexer {
namespace {

store::FamilyDescriptor DescribeFamily(const mapping::FamilySpec& spec, bool shared) {
  store::FamilyDescriptor family{.name = spec.name};
  // In a shared cell each source row has a version of its own; a compaction must leave them all.
  family.max_versions = spec.versions.value_or(shared ? INT32_MAX : 1);
  family.min_versions = spec.min_versions;
  family.ttl_seconds = spec.ttl_seconds;
  family.bloom_filter = spec.bloom.value_or("ROW");
  family.compression = spec.compression.value_or("NONE");
  family.in_memory = spec.in_memory.value_or(false);
  family.block_cache = spec.block_cache.value_or(true);
  family.block_size = spec.block_size;
  // M10: delete markers must outlive any late put that they hide.
  family.configuration[kPurgeDelayKey] = kPurgeDelayMillis;
  return family;
}

/// States are compressed as all entries are: whoever runs the servers has chosen what these have.
std::string CompressionOf(const mapping::Index& index) {
  const std::vector<mapping::FamilySpec>& families = index.create().families;
  const auto differs = [&](const mapping::FamilySpec& family) {
    return family.compression != families.front().compression;
  };
  const bool same = !families.empty() && std::none_of(families.begin(), families.end(), differs);
  return same ? families.front().compression.value_or("NONE") : "NONE";
}

/// Rows of many units, of which each read names a few, which mostly are not there; one that is there is looked for cell
/// by cell in its block.
void FitToBuckets(store::FamilyDescriptor* family) {
  constexpr int32_t kBlockBytes = 8192;
  family->bloom_filter = "ROWCOL";
  family->block_size = kBlockBytes;
}

/// Known columns of a stateless index, and states in buckets, are sorted by the hash of their row.
std::vector<std::string> EvenSplits(size_t regions) {
  constexpr size_t kMost = 256;
  std::vector<std::string> keys;
  const size_t count = std::min(regions, kMost);
  for (size_t i = 1; i < count; ++i) keys.emplace_back(1, static_cast<char>(i * kMost / count));
  return keys;
}

}  // namespace

std::optional<int64_t> SourceTtlMillis(const mapping::Index& index) {
  std::optional<int64_t> longest;
  if (!index.expires_exactly()) return longest;
  for (const mapping::FamilySpec& family : index.create().families) {
    if (!family.ttl_seconds) continue;
    const int64_t millis = int64_t{1000} * *family.ttl_seconds;
    longest = std::max(longest.value_or(millis), millis);
  }
  return longest;
}

TablePlan IndexTablePlan(const mapping::Index& index, const std::string& table_name) {
  TablePlan plan{{table_name, {}}, index.create().split_keys};
  for (const mapping::FamilySpec& spec : index.create().families) {
    plan.table.families.push_back(DescribeFamily(spec, index.shared()));
  }
  return plan;
}

TablePlan StateTablePlan(const mapping::Index& index, const std::vector<std::string>& source_starts) {
  TablePlan plan{{index.state_table(), {}}, {}};
  const bool mirror = index.scheme() == mapping::Scheme::kStateless;
  const bool buckets = !mirror && index.state_scope() == mapping::StateScope::kRow;
  for (const char* name : {kDoubtFamily, kIndexFamily, kMarkerFamily, kStateFamily}) {
    plan.table.families.push_back({.name = name, .compression = CompressionOf(index)});
    if (buckets) FitToBuckets(&plan.table.families.back());
  }
  if (buckets || mirror) {
    plan.split_keys = EvenSplits(source_starts.size());
    return plan;
  }
  for (const std::string& start : source_starts) {
    if (!start.empty()) plan.split_keys.push_back(start);
  }
  return plan;
}

Result<bool> PeriodTables::IsThere(const std::string& table) {
  if (!index_->table_is_template() || known_.contains(table)) return true;
  FENSI_ASSIGN_OR_RETURN(const std::optional<store::TableDescriptor> found, store_->DescribeTable(table));
  if (found.has_value()) known_.insert(table);
  return found.has_value();
}

Result<bool> PeriodTables::IsBeingDropped(const std::string& table) const {
  return meta::DroppedTables(MetaRow(index_, store_)).Has(table);
}

Status PeriodTables::RequireForPuts(const std::string& table) {
  FENSI_ASSIGN_OR_RETURN(const bool there, IsThere(table));
  if (there) return Status();
  const TablePlan plan = IndexTablePlan(*index_, table);
  const Status created = store_->CreateTable(plan.table, plan.split_keys);
  if (!created.ok() && created.code() != StatusCode::kAlreadyExists)
    return created.WithContext("period table " + table);
  known_.insert(table);
  return Status();
}

}  // namespace fensi::indexer
