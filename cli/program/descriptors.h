// Standard input, output and error as the program finds them.
#pragma once

namespace fensi::cli {

/// Puts /dev/null where descriptor 0, 1 or 2 is closed (cron, some daemons), so that no file or socket of ours becomes
/// one of them. It cannot be read as 0 nor written as 1 and 2: whoever needs it is told. First thing in main.
void FillStandardDescriptors();

}  // namespace fensi::cli
