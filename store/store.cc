#include "store/store.h"

#include <utility>

namespace fensi::store {

bool ToNextPage(const std::vector<Row>& page, ScanRequest* request) {
  request->behind.reset();
  if (!page.empty() && page.back().goes_on) {
    const Row& last = page.back();
    request->start_row = last.row;
    request->behind = ColumnPlace{last.cells.back().family, last.cells.back().qualifier};
    return true;
  }
  if (page.size() < request->max_rows) return false;
  request->start_row = page.back().row + std::string(1, '\0');
  return true;
}

namespace {

/// Asks before each call.
class GuardedView final : public Store {
 public:
  GuardedView(Store* store, std::function<Status()> permission) : store_(store), permission_(std::move(permission)) {}

  Result<std::vector<RejectedRow>> Put(const std::string& table, std::span<const RowMutation> rows) override {
    FENSI_RETURN_IF_ERROR(permission_());
    return store_->Put(table, rows);
  }
  Result<std::vector<RejectedRow>> Delete(const std::string& table, std::span<const RowMutation> rows) override {
    FENSI_RETURN_IF_ERROR(permission_());
    return store_->Delete(table, rows);
  }
  Result<bool> CompareAndPut(const std::string& table, const ConditionalPut& change) override {
    FENSI_RETURN_IF_ERROR(permission_());
    return store_->CompareAndPut(table, change);
  }
  Result<std::vector<Row>> Get(const std::string& table, std::span<const GetRequest> requests) override {
    FENSI_RETURN_IF_ERROR(permission_());
    return store_->Get(table, requests);
  }
  Result<std::vector<Row>> GetSome(const std::string& table, std::span<const GetRequest> requests,
                                   size_t max_bytes) override {
    FENSI_RETURN_IF_ERROR(permission_());
    return store_->GetSome(table, requests, max_bytes);
  }
  Result<std::vector<Row>> Scan(const std::string& table, const ScanRequest& request) override {
    FENSI_RETURN_IF_ERROR(permission_());
    return store_->Scan(table, request);
  }
  Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) override {
    FENSI_RETURN_IF_ERROR(permission_());
    return store_->CreateTable(table, split_keys);
  }
  Result<std::optional<TableDescriptor>> DescribeTable(const std::string& table) override {
    FENSI_RETURN_IF_ERROR(permission_());
    return store_->DescribeTable(table);
  }
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override {
    FENSI_RETURN_IF_ERROR(permission_());
    return store_->RegionStarts(table);
  }
  Status DropTable(const std::string& table) override {
    FENSI_RETURN_IF_ERROR(permission_());
    return store_->DropTable(table);
  }

 private:
  Store* const store_;
  const std::function<Status()> permission_;
};

}  // namespace

std::unique_ptr<Store> Store::Guarded(std::function<Status()> permission) {
  return std::make_unique<GuardedView>(this, std::move(permission));
}

}  // namespace fensi::store
