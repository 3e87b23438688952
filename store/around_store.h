// A store that does the same around every call of the one behind it.
//
// As thread-safe as the store behind and what is done around it.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/forwarding_store.h"

namespace fensi::store {

enum class CallKind { kPut, kDelete, kGet, kScan, kAdmin };
inline constexpr size_t kCallKinds = 5;
inline constexpr std::array<const char*, kCallKinds> kCallKindNames = {"put", "delete", "get", "scan", "admin"};

inline Status StatusOf(const Status& status) { return status; }
template <typename T>
Status StatusOf(const Result<T>& result) {
  return result.status();
}

/// `Wrapper` derives from it and has `Answer Around(CallKind kind, Call call)` for each kind of answer: it makes the
/// call, which takes nothing, and returns its answer or another one. `Base`: PassingStore or ForwardingStore.
template <typename Wrapper, typename Base = ForwardingStore>
class AroundStore : public Base {
 public:
  Result<std::vector<RejectedRow>> Put(const std::string& table, std::span<const RowMutation> rows) override {
    return self()->Around(CallKind::kPut, [&] { return behind()->Put(table, rows); });
  }
  Result<std::vector<RejectedRow>> Delete(const std::string& table, std::span<const RowMutation> rows) override {
    return self()->Around(CallKind::kDelete, [&] { return behind()->Delete(table, rows); });
  }
  Result<bool> CompareAndPut(const std::string& table, const ConditionalPut& change) override {
    return self()->Around(CallKind::kPut, [&] { return behind()->CompareAndPut(table, change); });
  }
  Result<std::vector<Row>> Get(const std::string& table, std::span<const GetRequest> requests) override {
    return self()->Around(CallKind::kGet, [&] { return behind()->Get(table, requests); });
  }
  Result<std::vector<Row>> GetSome(const std::string& table, std::span<const GetRequest> requests,
                                   size_t max_bytes) override {
    return self()->Around(CallKind::kGet, [&] { return behind()->GetSome(table, requests, max_bytes); });
  }
  Result<std::vector<Row>> Scan(const std::string& table, const ScanRequest& request) override {
    return self()->Around(CallKind::kScan, [&] { return behind()->Scan(table, request); });
  }
  Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) override {
    return self()->Around(CallKind::kAdmin, [&] { return behind()->CreateTable(table, split_keys); });
  }
  Result<std::optional<TableDescriptor>> DescribeTable(const std::string& table) override {
    return self()->Around(CallKind::kAdmin, [&] { return behind()->DescribeTable(table); });
  }
  Result<std::vector<std::string>> TableNames() override {
    return self()->Around(CallKind::kAdmin, [&] { return behind()->TableNames(); });
  }
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override {
    return self()->Around(CallKind::kAdmin, [&] { return behind()->RegionStarts(table); });
  }
  Result<std::optional<TableIdentity>> IdentityOf(const std::string& table) override {
    return self()->Around(CallKind::kAdmin, [&] { return behind()->IdentityOf(table); });
  }
  Status DropTable(const std::string& table) override {
    return self()->Around(CallKind::kAdmin, [&] { return behind()->DropTable(table); });
  }

 protected:
  using Base::behind;

 private:
  friend Wrapper;

  explicit AroundStore(Store* store) : Base(store) {}
  explicit AroundStore(std::shared_ptr<Store> store) : Base(std::move(store)) {}
  Wrapper* self() { return static_cast<Wrapper*>(this); }
};

}  // namespace fensi::store
