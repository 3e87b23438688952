// A store whose server cannot do something that an index needs.
#pragma once

#include <string>

#include "store/passing_store.h"

namespace fensi::cli {

class UnableStore final : public store::PassingStore {
 public:
  using PassingStore::PassingStore;
  Status CheckServer(const std::string& table) override { return Status(code, "asked by way of " + table); }
  StatusCode code = StatusCode::kConfiguration;
};

}  // namespace fensi::cli
