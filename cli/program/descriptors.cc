#include "cli/program/descriptors.h"

#include <fcntl.h>
#include <unistd.h>

namespace fensi::cli {

void FillStandardDescriptors() {
  for (int wanted = STDIN_FILENO; wanted <= STDERR_FILENO; ++wanted) {
    if (fcntl(wanted, F_GETFD) != -1) continue;
    // The lowest free descriptor is taken, and that is the wanted one.
    const int mode = wanted == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", mode) != wanted) _exit(70);
  }
}

}  // namespace fensi::cli
