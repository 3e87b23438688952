// What the tables of an index should be, what they are, and what is to be done about it.
//
// Blocks on the store; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "indexer/tables.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

/// A way in which an existing table is not what the index asks for.
struct TableDifference {
  std::string text;      // "family f1: TTL is 86400 s, the mapping says 3600 s"
  bool matters = false;  // the index would lose or keep what it should not; otherwise only speed or space differ
};

struct PlannedTable {
  indexer::TablePlan wanted;
  bool exists = false;
  std::vector<TableDifference> differences;  // of an existing one
  std::vector<std::string> coprocessors;     // that HBase runs on it
  std::vector<std::string> notes = {};       // about the regions of one that is to be made
};

/// Null: the table has no such family.
const store::FamilyDescriptor* FindFamily(const store::TableDescriptor& table, const std::string& name);
/// "86400 s" or "for ever".
std::string TtlText(const std::optional<int32_t>& ttl_seconds);
/// "  family f1: VERSIONS 1, …", with the line end.
std::string FamilyText(const store::FamilyDescriptor& family);

/// kConfiguration: a newer fensi began the index; what is there may mean something else than this version thinks.
Status RefuseNewer(const mapping::Index& index, store::Store* store);

/// Plans for the index table and the state table; a table per period has none (it is made when its first entry comes).
Result<std::vector<PlannedTable>> PlanTables(const mapping::Index& index, store::Store* store);

/// Plan for the table that all indexes share (meta/meta_table.h).
Result<PlannedTable> PlanMetaTable(const std::string& name, store::Store* store);

/// Differences of an existing table; families that the index does not know are nobody's business.
std::vector<TableDifference> CompareTables(const store::TableDescriptor& wanted, const store::TableDescriptor& found);

/// What no table of the plan says: tables that come with their periods. With its line end; may be empty.
std::string PeriodText(const mapping::Index& index);

enum class PlanState { kPlanned, kDone };

/// For people: "table fensi: to be created with 16 regions" (or "created") with its families, or how it differs.
std::string PlanText(const PlannedTable& plan, PlanState state = PlanState::kPlanned);

/// Creates what does not exist. A table that appeared meanwhile is taken as it is.
Status CreateTables(const std::vector<PlannedTable>& plans, store::Store* store);

/// Ok when all exist and nothing that matters differs; else kConfiguration with what a person can do.
Status RequireTables(const std::vector<PlannedTable>& plans);

}  // namespace fensi::cli
