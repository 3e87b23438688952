// Who this process is for Kerberos: what Kafka's client and the store's ask tickets with. No kinit, no shell.
#pragma once

#include "base/status.h"

namespace fensi::cli {

/// By --kerberos_keytab and --kerberos_principal; without them the environment counts, as for all programs (kinit,
/// KRB5_CLIENT_KTNAME). Changes the environment: before any thread starts. Asks no server.
Status PrepareKerberos();

}  // namespace fensi::cli
