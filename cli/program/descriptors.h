// Prepares standard input, output and error.
#pragma once

namespace fensi::cli {

/// Opens /dev/null if descriptor 0, 1 or 2 is closed (cron, some daemons), so that no file or socket of ours gets its
/// number. It cannot be read as 0 nor written as 1 and 2, so that its users get an error. First thing in main.
void FillStandardDescriptors();

}  // namespace fensi::cli
