// A store whose server cannot do something that an index needs.
#pragma once

#include <string>

#include "store/wrapped_store.h"

namespace fensi::operations {

class UnableStore final : public store::DelegatingStore {
 public:
  using DelegatingStore::DelegatingStore;
  Status CheckServer(const std::string& table) override { return Status(code, "asked by way of " + table); }
  StatusCode code = StatusCode::kConfiguration;
};

}  // namespace fensi::operations
