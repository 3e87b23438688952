// One real table for what many tests would each have a table for: making and dropping one takes HBase a second.
//
// A SharedTables view shows the store behind it as if it were empty and its own: names of tables get a prefix, row keys
// get another one that no other view has, and all state tables are one table. What HBase does with cells, versions and
// delete markers is left as it is. Any thread; the store behind outlives the view.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "store/store.h"

namespace fensi::operations {

/// Names of tables that were made, to be dropped when all views are done. One thread.
using MadeTables = std::set<std::string>;

class SharedTables final : public store::Store {
 public:
  SharedTables(store::Store* behind, MadeTables* made, std::string table_prefix, std::string row_prefix)
      : behind_(behind),
        made_(made),
        table_prefix_(std::move(table_prefix)),
        row_prefix_(std::move(row_prefix) + '\0') {}

  Result<std::vector<store::RejectedRow>> Put(const std::string& table,
                                              std::span<const store::RowMutation> rows) override {
    return behind_->Put(RealName(table), RealRows(rows));
  }
  Result<std::vector<store::RejectedRow>> Delete(const std::string& table,
                                                 std::span<const store::RowMutation> rows) override {
    return behind_->Delete(RealName(table), RealRows(rows));
  }
  Result<bool> CompareAndPut(const std::string& table, const store::ConditionalPut& change) override {
    store::ConditionalPut real = change;
    real.put.row = row_prefix_ + change.put.row;
    return behind_->CompareAndPut(RealName(table), real);
  }
  Result<std::vector<store::Row>> Get(const std::string& table, std::span<const store::GetRequest> requests) override {
    std::vector<store::GetRequest> real(requests.begin(), requests.end());
    for (store::GetRequest& request : real) request.row = row_prefix_ + request.row;
    return Shown(behind_->Get(RealName(table), real));
  }
  Result<std::vector<store::Row>> Scan(const std::string& table, const store::ScanRequest& request) override {
    store::ScanRequest real = request;
    real.start_row = row_prefix_ + request.start_row;
    real.stop_row = request.stop_row.empty() ? PrefixEnd(row_prefix_) : row_prefix_ + request.stop_row;
    return Shown(behind_->Scan(RealName(table), real));
  }
  /// Cells of tests are years old or stamped 1, 2, 3: no TTL. Splits are for other row keys than these.
  Status CreateTable(const store::TableDescriptor& table, const std::vector<std::string>&) override {
    store::TableDescriptor real = table;
    real.name = RealName(table.name);
    for (store::FamilyDescriptor& family : real.families) family.ttl_seconds.reset();
    made_->insert(real.name);
    return behind_->CreateTable(real, {});
  }
  Result<std::optional<store::TableDescriptor>> DescribeTable(const std::string& table) override {
    return behind_->DescribeTable(RealName(table));
  }
  Result<std::vector<std::string>> TableNames() override {
    Result<std::vector<std::string>> names = behind_->TableNames();
    if (!names.ok()) return names;
    std::erase_if(*names, [this](const std::string& name) { return !name.starts_with(table_prefix_); });
    for (std::string& name : *names) name.erase(0, table_prefix_.size());
    return names;
  }
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override {
    return behind_->RegionStarts(RealName(table));
  }
  Result<std::optional<store::TableIdentity>> IdentityOf(const std::string& table) override {
    return behind_->IdentityOf(RealName(table));
  }
  Status DropTable(const std::string& table) override { return behind_->DropTable(RealName(table)); }

 private:
  std::string RealName(const std::string& table) const {
    return table_prefix_ + (table.ends_with("_state") ? "state" : table);
  }

  std::vector<store::RowMutation> RealRows(std::span<const store::RowMutation> rows) const {
    std::vector<store::RowMutation> real(rows.begin(), rows.end());
    for (store::RowMutation& row : real) row.row = row_prefix_ + row.row;
    return real;
  }

  Result<std::vector<store::Row>> Shown(Result<std::vector<store::Row>> rows) const {
    if (!rows.ok()) return rows;
    for (store::Row& row : *rows) row.row.erase(0, row_prefix_.size());
    return rows;
  }

  store::Store* const behind_;
  MadeTables* const made_;
  const std::string table_prefix_;
  const std::string row_prefix_;
};

}  // namespace fensi::operations
