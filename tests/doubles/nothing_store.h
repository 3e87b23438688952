// A store that takes everything, keeps nothing and costs nothing: what remains is the core itself. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/store.h"

namespace fensi::testing {

class NothingStore : public store::Store {
 public:
  Result<std::vector<store::RejectedRow>> Put(const std::string&, std::span<const store::RowMutation>) override {
    return std::vector<store::RejectedRow>();
  }
  Result<std::vector<store::RejectedRow>> Delete(const std::string&, std::span<const store::RowMutation>) override {
    return std::vector<store::RejectedRow>();
  }
  Result<bool> CompareAndPut(const std::string&, const store::ConditionalPut&) override { return true; }
  Result<std::vector<store::Row>> Get(const std::string&, std::span<const store::GetRequest> requests) override {
    return std::vector<store::Row>(requests.size());
  }
  Result<std::vector<store::Row>> Scan(const std::string&, const store::ScanRequest&) override {
    return std::vector<store::Row>();
  }
  Status CreateTable(const store::TableDescriptor&, const std::vector<std::string>&) override { return {}; }
  Result<std::optional<store::TableDescriptor>> DescribeTable(const std::string&) override {
    return std::optional<store::TableDescriptor>();
  }
  Result<std::vector<std::string>> TableNames() override { return std::vector<std::string>(); }
  Result<std::vector<std::string>> RegionStarts(const std::string&) override { return std::vector<std::string>{""}; }
  Status DropTable(const std::string&) override { return {}; }
};

}  // namespace fensi::testing
