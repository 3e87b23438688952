// HBase as a store::Store: tables in memory that show what HBase shows at the time of a clock that a test moves. Much
// quicker than the embedded store, and a second opinion on it. Thread-safe but for Find.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "store/store.h"
#include "tests/indexer/model/hbase_table.h"

namespace fensi::testing {

class ModelStore final : public store::Store {
 public:
  /// The clock is borrowed.
  explicit ModelStore(Clock* clock) : clock_(clock) {}

  Result<std::vector<store::RejectedRow>> Put(const std::string& table,
                                              std::span<const store::RowMutation> rows) override {
    return Write(table, rows, store::WriteKind::kPut);
  }
  Result<std::vector<store::RejectedRow>> Delete(const std::string& table,
                                                 std::span<const store::RowMutation> rows) override {
    return Write(table, rows, store::WriteKind::kDelete);
  }
  Result<bool> CompareAndPut(const std::string& table, const store::ConditionalPut& change) override;
  Result<std::vector<store::Row>> Get(const std::string& table, std::span<const store::GetRequest> requests) override;
  Result<std::vector<store::Row>> GetSome(const std::string& table, std::span<const store::GetRequest> requests,
                                          size_t max_bytes) override;
  Result<std::vector<store::Row>> Scan(const std::string& table, const store::ScanRequest& request) override;
  Status CreateTable(const store::TableDescriptor& table, const std::vector<std::string>& split_keys) override;
  Result<std::optional<store::TableDescriptor>> DescribeTable(const std::string& table) override;
  Result<std::vector<std::string>> TableNames() override;
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override;
  Result<std::optional<store::TableIdentity>> IdentityOf(const std::string& table) override;
  Status DropTable(const std::string& table) override;

  /// The attribute that a TableDescriptor does not have.
  void SetKeepDeleted(const std::string& table, KeepDeleted keep);
  Status MajorCompact(const std::string& table, bool purge_all = false);
  std::vector<std::string> Names() const;
  /// Null: there is no such table.
  HbaseTable* Find(const std::string& table);

 private:
  struct Table {
    store::TableDescriptor description;
    std::vector<std::string> split_keys;
    HbaseTable cells;
    int64_t number = 0;  // never given out again
  };

  Result<Table*> Open(const std::string& name);
  Result<std::vector<store::RejectedRow>> Write(const std::string& table, std::span<const store::RowMutation> rows,
                                                store::WriteKind kind);

  Clock* const clock_;
  int64_t last_number_ = 0;
  mutable std::recursive_mutex mu_;
  std::map<std::string, Table> tables_;  // guarded by mu_
};

}  // namespace fensi::testing
