// A fixture for what only a real HBase can do, with an administrator beside the client: FENSI_TEST_ADMIN.
#pragma once

#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "tests/store/contract/stack_admin.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {

class RealHBase : public StoreContract {
 protected:
  static Status Admin(const std::string& command) {
    const char* address = std::getenv("FENSI_TEST_ADMIN");
    return StackAdmin(address == nullptr ? "" : address).Run(command);
  }
  Result<std::vector<RejectedRow>> PutRow(const std::string& table, const std::string& column = "f:q") {
    const RowMutation mutation{"r", {PutCell(column, 1, "v")}};
    return store().Put(table, std::span(&mutation, 1));
  }
};

}  // namespace fensi::store
