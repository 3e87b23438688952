#include "operations/tables/table_plan.h"

#include <utility>

#include "base/bytes.h"
#include "indexer/index_meta.h"
#include "mapping/lookup.h"
#include "meta/versioned_meta_row.h"

namespace fensi::operations {
namespace {

using store::FamilyDescriptor;
using store::TableDescriptor;

std::string YesNo(bool yes) { return yes ? "true" : "false"; }

/// Collects what differs between two families of one name.
class FamilyComparison {
 public:
  FamilyComparison(const std::string& family, std::vector<TableDifference>* out) : family_(family), out_(out) {}

  void Compare(const char* attribute, const std::string& wanted, const std::string& found, bool matters) {
    if (wanted == found) return;
    out_->push_back(
        {"family " + Escape(family_) + ": " + attribute + " is " + found + ", wanted is " + wanted, matters});
  }

 private:
  const std::string& family_;
  std::vector<TableDifference>* const out_;
};

void CompareFamilies(const FamilyDescriptor& wanted, const FamilyDescriptor& found, std::vector<TableDifference>* out) {
  FamilyComparison comparison(wanted.name, out);
  comparison.Compare("TTL", TtlText(wanted.ttl_seconds), TtlText(found.ttl_seconds), true);
  comparison.Compare("VERSIONS", std::to_string(wanted.max_versions), std::to_string(found.max_versions), false);
  if (wanted.min_versions || wanted.ttl_seconds) {
    comparison.Compare("MIN_VERSIONS", std::to_string(wanted.min_versions.value_or(store::kDefaultMinVersions)),
                       std::to_string(found.min_versions.value_or(store::kDefaultMinVersions)), true);
  }
  comparison.Compare("BLOOMFILTER", wanted.bloom_filter, found.bloom_filter, false);
  comparison.Compare("COMPRESSION", wanted.compression, found.compression, false);
  comparison.Compare("IN_MEMORY", YesNo(wanted.in_memory), YesNo(found.in_memory), false);
  comparison.Compare("BLOCKCACHE", YesNo(wanted.block_cache), YesNo(found.block_cache), false);
  if (wanted.block_size) {
    comparison.Compare("BLOCKSIZE", std::to_string(*wanted.block_size),
                       std::to_string(found.block_size.value_or(store::kDefaultBlockSize)), false);
  }
  comparison.Compare("REPLICATION_SCOPE", std::to_string(wanted.replication_scope),
                     std::to_string(found.replication_scope), false);
  for (const auto& [key, value] : wanted.configuration) {
    const auto at = found.configuration.find(key);
    comparison.Compare(key.c_str(), value, at == found.configuration.end() ? "not set" : at->second, true);
  }
}

std::string Regions(size_t split_keys) {
  return std::to_string(split_keys + 1) + (split_keys == 0 ? " region" : " regions");
}

/// How its regions fit the salts in front of its row keys; empty: there are none.
std::string SaltText(const mapping::Index& index, size_t split_keys) {
  const Result<mapping::KeyPrefix> front = mapping::EncodeKey(index, {});
  if (!front.ok() || front->prefixes.size() < 2) return "";
  const size_t salts = front->prefixes.size();
  const std::string keys = "row keys begin with one of " + std::to_string(salts) + " salts: ";
  if (split_keys + 1 == salts) return keys + "a region for each";
  return keys + "with 'split: { salt: " + std::to_string(salts) + " }' under 'create:' each had a region of its own";
}

/// Filters and blocks of a state table suit the way in which its index began, which may be another one than that of a
/// new index.
enum class Layout { kAsPlanned, kAsItIs };

void TakeLayout(const TableDescriptor& found, TableDescriptor* wanted) {
  for (FamilyDescriptor& family : wanted->families) {
    const FamilyDescriptor* there = FindFamily(found, family.name);
    if (there == nullptr) continue;
    family.bloom_filter = there->bloom_filter;
    family.block_size = there->block_size;
  }
}

/// An existing table, and its differences.
Status FindTable(Layout layout, PlannedTable* plan, store::Store* store) {
  FENSI_ASSIGN_OR_RETURN(const std::optional<TableDescriptor> found, store->DescribeTable(plan->wanted.table.name));
  plan->exists = found.has_value();
  if (!plan->exists) return {};
  if (layout == Layout::kAsItIs) TakeLayout(*found, &plan->wanted.table);
  plan->differences = CompareTables(plan->wanted.table, *found);
  plan->coprocessors = found->coprocessors;
  return {};
}

void AddNote(std::string note, PlannedTable* plan) {
  if (!note.empty()) plan->notes.push_back(std::move(note));
}

std::string SplitText(const mapping::Index& index) {
  const bool mirror = index.scheme() == mapping::Scheme::kStateless;
  const bool even = mirror || index.state_scope() == mapping::StateScope::kRow;
  return (even ? "split in as many even parts as its source " : "split as its source ") + index.source_table();
}

}  // namespace

const FamilyDescriptor* FindFamily(const TableDescriptor& table, const std::string& name) {
  for (const FamilyDescriptor& family : table.families) {
    if (family.name == name) return &family;
  }
  return nullptr;
}

std::string TtlText(const std::optional<int32_t>& ttl_seconds) {
  return ttl_seconds ? std::to_string(*ttl_seconds) + " s" : "for ever";
}

std::string FamilyText(const FamilyDescriptor& family) {
  std::string text = "  family " + Escape(family.name) + ": VERSIONS " + std::to_string(family.max_versions) +
                     ", TTL " + TtlText(family.ttl_seconds) + ", BLOOMFILTER " + family.bloom_filter +
                     ", COMPRESSION " + family.compression;
  if (family.min_versions) text += ", MIN_VERSIONS " + std::to_string(*family.min_versions);
  if (family.in_memory) text += ", IN_MEMORY true";
  if (!family.block_cache) text += ", BLOCKCACHE false";
  if (family.block_size) text += ", BLOCKSIZE " + std::to_string(*family.block_size);
  if (family.replication_scope != 0) text += ", REPLICATION_SCOPE " + std::to_string(family.replication_scope);
  for (const auto& [key, value] : family.configuration) text += ", " + key + " " + value;
  return text + "\n";
}

Status RefuseNewer(const mapping::Index& index, store::Store* store) {
  const Status newer = indexer::IndexMeta(&index, store).CheckFormatVersion();
  // Reports nothing if no index has begun, or without the right to read states.
  return newer.code() == StatusCode::kConfiguration ? newer : Status();
}

Result<std::vector<PlannedTable>> PlanTables(const mapping::Index& index, store::Store* store) {
  const Result<std::vector<std::string>> starts = store->RegionStarts(index.source_table());
  if (!starts.ok() && starts.status().code() != StatusCode::kNotFound) return starts.status();
  std::vector<PlannedTable> plans;
  if (!index.table_is_template()) plans.push_back({indexer::IndexTablePlan(index, index.table())});
  if (!plans.empty()) AddNote(SaltText(index, plans.back().wanted.split_keys.size()), &plans.back());
  plans.push_back({indexer::StateTablePlan(index, starts.ok() ? *starts : std::vector<std::string>())});
  if (!plans.back().wanted.split_keys.empty()) AddNote(SplitText(index), &plans.back());
  for (PlannedTable& plan : plans) {
    const bool states = plan.wanted.table.name == index.state_table();
    FENSI_RETURN_IF_ERROR(FindTable(states ? Layout::kAsItIs : Layout::kAsPlanned, &plan, store));
  }
  return plans;
}

Result<PlannedTable> PlanMetaTable(const std::string& name, store::Store* store) {
  PlannedTable plan{{meta::MetaTable(name), {}}};
  FENSI_RETURN_IF_ERROR(FindTable(Layout::kAsPlanned, &plan, store));
  return plan;
}

std::vector<TableDifference> CompareTables(const TableDescriptor& wanted, const TableDescriptor& found) {
  std::vector<TableDifference> differences;
  for (const FamilyDescriptor& family : wanted.families) {
    const FamilyDescriptor* match = FindFamily(found, family.name);
    if (match == nullptr) {
      differences.push_back({"family " + Escape(family.name) + ": is missing", true});
    } else {
      CompareFamilies(family, *match, &differences);
    }
  }
  return differences;
}

std::string PlanText(const PlannedTable& plan, PlanState state) {
  std::string text = "table " + plan.wanted.table.name + ": ";
  if (plan.exists) {
    text += plan.differences.empty() ? "exists as wanted\n" : "exists and differs\n";
    for (const TableDifference& difference : plan.differences) {
      text += "  " + difference.text + (difference.matters ? "\n" : " (harmless)\n");
    }
    return text;
  }
  const bool done = state == PlanState::kDone;
  text += (done ? "created with " : "to be created with ") + Regions(plan.wanted.split_keys.size());
  const size_t colon = plan.wanted.table.name.find(':');
  if (colon != std::string::npos) {
    text += ", and namespace " + plan.wanted.table.name.substr(0, colon) +
            (done ? " unless it existed" : " unless it exists");
  }
  text += "\n";
  for (const std::string& note : plan.notes) text += "  " + note + "\n";
  for (const FamilyDescriptor& family : plan.wanted.table.families) text += FamilyText(family);
  return text;
}

std::string PeriodText(const mapping::Index& index) {
  if (!index.table_is_template()) return "";
  const indexer::TablePlan each = indexer::IndexTablePlan(index, index.table());
  std::string text = "tables " + index.table() +
                     "…: one for each period, made by 'fensi run' with its first entry, with " +
                     Regions(each.split_keys.size()) + "; only you drop them\n";
  const std::string salts = SaltText(index, each.split_keys.size());
  if (!salts.empty()) text += "  " + salts + "\n";
  for (const FamilyDescriptor& family : each.table.families) text += FamilyText(family);
  return text;
}

Status CreateTables(const std::vector<PlannedTable>& plans, store::Store* store) {
  for (const PlannedTable& plan : plans) {
    if (plan.exists) continue;
    const Status status = store->CreateTable(plan.wanted.table, plan.wanted.split_keys);
    if (!status.ok() && status.code() != StatusCode::kAlreadyExists) {
      return status.WithContext("creating table " + plan.wanted.table.name);
    }
  }
  return Status();
}

Status RequireTables(const std::vector<PlannedTable>& plans) {
  std::string faults;
  for (const PlannedTable& plan : plans) {
    if (!plan.exists) faults += "\n  table " + plan.wanted.table.name + " is missing";
    for (const TableDifference& difference : plan.differences) {
      if (difference.matters) faults += "\n  table " + plan.wanted.table.name + ", " + difference.text;
    }
  }
  if (faults.empty()) return Status();
  return Status(
      StatusCode::kConfiguration,
      "tables are missing, or differ from the tables that the index needs. For a new index, 'fensi create MAPPING "
      "--execute' makes missing tables. If the index has run before, see 'fensi help recovery'. Alter the tables that "
      "differ, or change the mapping file:" +
          faults);
}

}  // namespace fensi::operations
