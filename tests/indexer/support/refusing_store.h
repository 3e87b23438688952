// A store that refuses rows with a certain column for good, as HBase's own checks and coprocessors do: the row as it
// was handed in, with all its cells. The store behind must outlive it.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace fensi::testing {

class RefusingStore final : public store::Store {
 public:
  using Rejected = Result<std::vector<store::RejectedRow>>;

  explicit RefusingStore(store::Store* behind) : behind_(behind) {}

  /// From now on puts with this column are refused, and no others.
  void Refuse(std::string family, std::string qualifier) {
    family_ = std::move(family);
    qualifier_ = std::move(qualifier);
    deletes_ = false;
  }
  /// Its deletes are refused instead.
  void RefuseDeletes() { deletes_ = true; }

  Rejected Put(const std::string& table, std::span<const store::RowMutation> rows) override {
    return Sift(rows, !deletes_, [&](auto taken) { return behind_->Put(table, taken); });
  }
  Rejected Delete(const std::string& table, std::span<const store::RowMutation> rows) override {
    return Sift(rows, deletes_, [&](auto taken) { return behind_->Delete(table, taken); });
  }
  Result<std::vector<store::Row>> Get(const std::string& table, std::span<const store::GetRequest> gets) override {
    return behind_->Get(table, gets);
  }
  Result<std::vector<store::Row>> Scan(const std::string& table, const store::ScanRequest& request) override {
    return behind_->Scan(table, request);
  }
  Status CreateTable(const store::TableDescriptor& table, const std::vector<std::string>& splits) override {
    return behind_->CreateTable(table, splits);
  }
  Result<std::optional<store::TableDescriptor>> DescribeTable(const std::string& table) override {
    return behind_->DescribeTable(table);
  }
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override {
    return behind_->RegionStarts(table);
  }
  Status DropTable(const std::string& table) override { return behind_->DropTable(table); }

 private:
  bool IsRefused(const store::RowMutation& row) const {
    return std::any_of(row.cells.begin(), row.cells.end(), [&](const Cell& cell) {
      return !qualifier_.empty() && cell.family == family_ && cell.qualifier == qualifier_;
    });
  }
  template <typename Call>
  Rejected Sift(std::span<const store::RowMutation> rows, bool refuses, Call call) {
    std::vector<store::RowMutation> taken;
    std::vector<size_t> indexes;
    std::vector<store::RejectedRow> rejected;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (refuses && IsRefused(rows[i])) {
        rejected.push_back({i, Status(StatusCode::kRejected, "column " + family_ + ":" + qualifier_ + ": refused")});
      } else {
        taken.push_back(rows[i]);
        indexes.push_back(i);
      }
    }
    Rejected behind = call(std::span<const store::RowMutation>(taken));
    FENSI_RETURN_IF_ERROR(behind.status());
    for (store::RejectedRow& row : *behind) rejected.push_back({indexes[row.index], std::move(row.reason)});
    return rejected;
  }

  store::Store* const behind_;
  std::string family_, qualifier_;
  bool deletes_ = false;
};

}  // namespace fensi::testing
