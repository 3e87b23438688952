// Base classes of store wrappers: each forwards every call to the wrapped store, and derived classes change some calls.
// FencedStoreView checks a permission before each call.
//
// Thread-safe if the wrapped store, `Around` and the permission are.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace fensi::store {

/// Its Guarded is that of any store: the permission is checked before a call of this one, not before each request. That
/// is enough for tests and for views. A wrapper of a server is a ForwardingStore.
class DelegatingStore : public Store {
 public:
  /// Does not own `behind`, which must outlive it.
  explicit DelegatingStore(Store* behind) : behind_(behind) {}
  /// Shares its ownership.
  explicit DelegatingStore(std::shared_ptr<Store> behind) : owned_(std::move(behind)), behind_(owned_.get()) {}

  Result<std::vector<RejectedRow>> Put(const std::string& table, std::span<const RowMutation> rows) override {
    return behind_->Put(table, rows);
  }
  Result<std::vector<RejectedRow>> Delete(const std::string& table, std::span<const RowMutation> rows) override {
    return behind_->Delete(table, rows);
  }
  Result<bool> CompareAndPut(const std::string& table, const ConditionalPut& change) override {
    return behind_->CompareAndPut(table, change);
  }
  Result<std::vector<Row>> Get(const std::string& table, std::span<const GetRequest> requests) override {
    return behind_->Get(table, requests);
  }
  Result<std::vector<Row>> GetSome(const std::string& table, std::span<const GetRequest> requests,
                                   size_t max_bytes) override {
    return behind_->GetSome(table, requests, max_bytes);
  }
  Result<std::vector<Row>> Scan(const std::string& table, const ScanRequest& request) override {
    return behind_->Scan(table, request);
  }
  Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) override {
    return behind_->CreateTable(table, split_keys);
  }
  Result<std::optional<TableDescriptor>> DescribeTable(const std::string& table) override {
    return behind_->DescribeTable(table);
  }
  Result<std::vector<std::string>> TableNames() override { return behind_->TableNames(); }
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override {
    return behind_->RegionStarts(table);
  }
  Result<std::vector<RegionBounds>> Regions(const std::string& table) override { return behind_->Regions(table); }
  Result<std::optional<std::vector<RegionSize>>> RegionSizes(const std::string& table) override {
    return behind_->RegionSizes(table);
  }
  Result<std::optional<ClusterFacts>> DescribeCluster() override { return behind_->DescribeCluster(); }
  std::vector<ServerCalls> Servers() const override { return behind_->Servers(); }
  Result<std::optional<TableIdentity>> IdentityOf(const std::string& table) override {
    return behind_->IdentityOf(table);
  }
  bool HasReplication() const override { return behind_->HasReplication(); }
  std::string OtherPlaceOf(const std::string& table) const override { return behind_->OtherPlaceOf(table); }
  Status CheckServer(const std::string& table) override { return behind_->CheckServer(table); }
  Status DropTable(const std::string& table) override { return behind_->DropTable(table); }

 protected:
  Store* behind() const { return behind_; }

 private:
  const std::shared_ptr<Store> owned_;
  Store* const behind_;
};

/// Forwards the permission check, too: the base of all wrappers of a server.
class ForwardingStore : public DelegatingStore {
 public:
  using DelegatingStore::DelegatingStore;

  /// Final, so that no wrapper loses the permission: it is checked where the requests are sent.
  std::unique_ptr<Store> Guarded(std::function<Status()> permission) final {
    return Over(behind()->Guarded(std::move(permission)));
  }

 protected:
  /// The same wrapper, with shared state, over another view of the wrapped store.
  virtual std::unique_ptr<Store> Over(std::unique_ptr<Store> behind) = 0;
};

enum class StoreOp { kPut, kDelete, kGet, kScan, kAdmin };
inline constexpr size_t kCallKinds = 5;
inline constexpr std::array<const char*, kCallKinds> kCallKindNames = {"put", "delete", "get", "scan", "admin"};

inline Status StatusOf(const Status& status) { return status; }
template <typename T>
Status StatusOf(const Result<T>& result) {
  return result.status();
}

/// Runs the same code around every call. `Wrapper` derives from it and has `Answer Around(StoreOp kind, Call call)` for
/// each kind of answer: it makes the call, which has no arguments, and returns its answer or another one. `Base`:
/// DelegatingStore or ForwardingStore.
template <typename Wrapper, typename Base = ForwardingStore>
class InterceptingStore : public Base {
 public:
  Result<std::vector<RejectedRow>> Put(const std::string& table, std::span<const RowMutation> rows) override {
    return self()->Around(StoreOp::kPut, [&] { return behind()->Put(table, rows); });
  }
  Result<std::vector<RejectedRow>> Delete(const std::string& table, std::span<const RowMutation> rows) override {
    return self()->Around(StoreOp::kDelete, [&] { return behind()->Delete(table, rows); });
  }
  Result<bool> CompareAndPut(const std::string& table, const ConditionalPut& change) override {
    return self()->Around(StoreOp::kPut, [&] { return behind()->CompareAndPut(table, change); });
  }
  Result<std::vector<Row>> Get(const std::string& table, std::span<const GetRequest> requests) override {
    return self()->Around(StoreOp::kGet, [&] { return behind()->Get(table, requests); });
  }
  Result<std::vector<Row>> GetSome(const std::string& table, std::span<const GetRequest> requests,
                                   size_t max_bytes) override {
    return self()->Around(StoreOp::kGet, [&] { return behind()->GetSome(table, requests, max_bytes); });
  }
  Result<std::vector<Row>> Scan(const std::string& table, const ScanRequest& request) override {
    return self()->Around(StoreOp::kScan, [&] { return behind()->Scan(table, request); });
  }
  Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) override {
    return self()->Around(StoreOp::kAdmin, [&] { return behind()->CreateTable(table, split_keys); });
  }
  Result<std::optional<TableDescriptor>> DescribeTable(const std::string& table) override {
    return self()->Around(StoreOp::kAdmin, [&] { return behind()->DescribeTable(table); });
  }
  Result<std::vector<std::string>> TableNames() override {
    return self()->Around(StoreOp::kAdmin, [&] { return behind()->TableNames(); });
  }
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override {
    return self()->Around(StoreOp::kAdmin, [&] { return behind()->RegionStarts(table); });
  }
  Result<std::vector<RegionBounds>> Regions(const std::string& table) override {
    return self()->Around(StoreOp::kAdmin, [&] { return behind()->Regions(table); });
  }
  Result<std::optional<std::vector<RegionSize>>> RegionSizes(const std::string& table) override {
    return self()->Around(StoreOp::kAdmin, [&] { return behind()->RegionSizes(table); });
  }
  Result<std::optional<TableIdentity>> IdentityOf(const std::string& table) override {
    return self()->Around(StoreOp::kAdmin, [&] { return behind()->IdentityOf(table); });
  }
  Status DropTable(const std::string& table) override {
    return self()->Around(StoreOp::kAdmin, [&] { return behind()->DropTable(table); });
  }

 protected:
  using Base::behind;

 private:
  friend Wrapper;

  explicit InterceptingStore(Store* store) : Base(store) {}
  explicit InterceptingStore(std::shared_ptr<Store> store) : Base(std::move(store)) {}
  Wrapper* self() { return static_cast<Wrapper*>(this); }
};

/// The result of Store::Guarded for stores in which nothing waits inside a call (M11).
class FencedStoreView final : public InterceptingStore<FencedStoreView, DelegatingStore> {
 public:
  /// Does not own the store.
  FencedStoreView(Store* store, std::function<Status()> permission)
      : InterceptingStore(store), permission_(std::move(permission)) {}

 private:
  friend class InterceptingStore<FencedStoreView, DelegatingStore>;

  template <typename Call>
  auto Around(StoreOp /*kind*/, Call call) -> decltype(call()) {
    // M11: a lost partition must not be written.
    FENSI_RETURN_IF_ERROR(permission_());
    return call();
  }

  const std::function<Status()> permission_;
};

}  // namespace fensi::store
