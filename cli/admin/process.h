// What everybody who watches a process wants to know of it, from /proc/self. Blocks on nothing; any thread.
#pragma once

#include "metrics/snapshot.h"

namespace fensi::cli {

/// The standard process_* metrics and fensi_build_info. What the machine does not tell is left out.
void CollectProcess(metrics::Snapshot* snapshot);

/// Since the epoch; absent (0) when the machine does not tell.
double ProcessStartSeconds();

/// {"version":…,"librdkafka":…,…}
std::string VersionJson();

}  // namespace fensi::cli
