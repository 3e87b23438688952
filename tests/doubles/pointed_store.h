// A store whose reads of one table tell a read point, as those of HBase do.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/wrapped_store.h"

namespace fensi::store {

class PointedStore final : public DelegatingStore {
 public:
  /// The read point of a row's region at this moment; null: it is unknown. Called before each read, for each row.
  using PointOf = std::function<std::shared_ptr<const ReadPoint>(const std::string& row)>;

  PointedStore(Store* behind, std::string table, PointOf point_of)
      : DelegatingStore(behind), table_(std::move(table)), point_of_(std::move(point_of)) {}

  Result<std::vector<Row>> Get(const std::string& table, std::span<const GetRequest> requests) override {
    return GetSome(table, requests, SIZE_MAX);
  }
  Result<std::vector<Row>> GetSome(const std::string& table, std::span<const GetRequest> requests,
                                   size_t max_bytes) override {
    std::vector<std::shared_ptr<const ReadPoint>> points;
    for (const GetRequest& request : requests) {
      points.push_back(table == table_ && request.read_point ? point_of_(request.row) : nullptr);
    }
    Result<std::vector<Row>> rows = DelegatingStore::GetSome(table, requests, max_bytes);
    for (size_t i = 0; rows.ok() && i < rows->size(); ++i) (*rows)[i].read_point = points[i];
    return rows;
  }

 private:
  const std::string table_;
  const PointOf point_of_;
};

}  // namespace fensi::store
