// What the flags say of how a connection to the store is kept from others.
#pragma once

#include "base/status.h"
#include "store/gateway_security.h"

namespace fensi::cli {

/// kInvalidArgument for flags that do not go together. The files are read later, each time that a connection begins.
Result<store::GatewaySecurity> StoreSecurity();

}  // namespace fensi::cli
