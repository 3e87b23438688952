// Plans the tables of an index: what they should be, what they are, and the necessary changes.
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

namespace fensi::operations {

/// A difference between an existing table and what the index needs.
struct TableDifference {
  std::string text;      // "family f1: TTL is 86400 s, the mapping says 3600 s"
  bool matters = false;  // the index would lose or keep data wrongly; otherwise only speed or space differ
};

struct PlannedTable {
  indexer::TablePlan wanted;
  bool exists = false;
  std::vector<TableDifference> differences;  // of an existing one
  std::vector<std::string> coprocessors;     // that HBase runs on it
  std::vector<std::string> notes = {};       // about the regions of a table that is to be created
};

/// Null: the table has no such family.
const store::FamilyDescriptor* FindFamily(const store::TableDescriptor& table, const std::string& name);
/// "86400 s" or "for ever".
std::string TtlText(const std::optional<int32_t>& ttl_seconds);
/// "  family f1: VERSIONS 1, …", with the line end.
std::string FamilyText(const store::FamilyDescriptor& family);

/// kConfiguration: a newer fensi began the index; its data may mean something else.
Status RefuseNewer(const mapping::Index& index, store::Store* store);

/// Plans for the index table and the state table; period tables have none (they are created with their first entry).
Result<std::vector<PlannedTable>> PlanTables(const mapping::Index& index, store::Store* store);

/// Plan for the table that all indexes share (meta/versioned_meta_row.h).
Result<PlannedTable> PlanMetaTable(const std::string& name, store::Store* store);

/// Differences of an existing table; ignores families that the index does not know.
std::vector<TableDifference> CompareTables(const store::TableDescriptor& wanted, const store::TableDescriptor& found);

/// Text about period tables, which are not in the plan. With its line end; may be empty.
std::string PeriodText(const mapping::Index& index);

enum class PlanState { kPlanned, kDone };

/// For people: "table fensi: to be created with 16 regions" (or "created") with its families, or how it differs.
std::string PlanText(const PlannedTable& plan, PlanState state = PlanState::kPlanned);

/// Creates missing tables. A table that appeared meanwhile is taken as it is.
Status CreateTables(const std::vector<PlannedTable>& plans, store::Store* store);

/// Ok if all exist and nothing important differs; else kConfiguration with the remedy.
Status RequireTables(const std::vector<PlannedTable>& plans);

}  // namespace fensi::operations
