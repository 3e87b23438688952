// Runs a pager between standard output and the terminal: $PAGER, or less as git calls it, for answers that are longer
// than a screen. Never in a pipe.
//
// Made before anything is printed and ended after the last line; one thread. Meanwhile Ctrl-C goes to the pager.
#pragma once

#include <sys/types.h>

#include "base/status.h"

namespace fensi::cli {

class Pager {
 public:
  /// Starts the pager if standard output is a terminal, unless it is not `wanted`, or PAGER is empty or "cat". PAGER is
  /// a shell command line, with arguments and variables. A missing pager is reported, and not used.
  explicit Pager(bool wanted);
  ~Pager();
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

  bool active() const { return process_ > 0; }
  /// Lets the person read to the end. Leaving the pager before is no error of the output. kInvalidArgument: nothing was
  /// shown, because the shell could not run the pager.
  Result<int> End(const Result<int>& outcome);

 private:
  void Start(const char* command);
  /// The exit code of the shell; 0 if there was none.
  int Wait();

  pid_t process_ = -1;
};

}  // namespace fensi::cli
