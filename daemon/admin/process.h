// Metrics of this process for all monitoring, from /proc/self. Never blocks; any thread.
#pragma once

#include "metrics/snapshot.h"

namespace fensi::daemon {

/// The standard process_* metrics and fensi_build_info. Leaves out what the machine does not report.
void CollectProcess(metrics::Snapshot* snapshot);

/// Since the epoch; 0 if the machine does not report it.
double ProcessStartSeconds();

/// {"version":…,"librdkafka":…,…}
std::string VersionJson();

}  // namespace fensi::daemon
