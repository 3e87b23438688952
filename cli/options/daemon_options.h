// Converts flags to the options of daemons: one function for each struct. As operations_options.h. Callers of a
// function include the header of its struct.
#pragma once

#include "daemon/sources/sources.h"

namespace fensi::daemon {
struct CaptureRunOptions;
struct IndexDaemonOptions;
}  // namespace fensi::daemon

namespace fensi::cli {

daemon::SourceOptions ReadSourceOptions();
/// The options of `fensi run` without its mapping files.
daemon::IndexDaemonOptions ReadIndexDaemonOptions();
daemon::CaptureRunOptions ReadCaptureRunOptions();

}  // namespace fensi::cli
