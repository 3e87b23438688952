// Sets the Kerberos identity of this process, for the clients of Kafka and the store. Runs no kinit and no shell.
#pragma once

#include <string>

#include "base/status.h"

namespace fensi::operations {

/// Uses a keytab, and its principal (empty: its first); without a keytab the environment counts, as for all programs
/// (kinit, KRB5_CLIENT_KTNAME). Changes the environment: call it before any thread starts. Queries no server.
Status PrepareKerberos(const std::string& keytab_file, const std::string& principal);

}  // namespace fensi::operations
