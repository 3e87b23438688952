// A pager between standard output and the terminal: $PAGER, or less as git calls it, for answers that are longer than a
// screen. Never in a pipe.
//
// Made before anything is printed and ended behind the last line; one thread. While it is there, Ctrl-C is the pager's.
#pragma once

#include <sys/types.h>

#include "base/status.h"

namespace fensi::cli {

class Pager {
 public:
  /// Starts it when standard output is a terminal, unless it is not `wanted`, or PAGER is empty or "cat". PAGER is a
  /// line of the shell, so that it may have arguments and variables in front. One that is not there is told, and done
  /// without.
  explicit Pager(bool wanted);
  ~Pager();
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

  bool active() const { return process_ > 0; }
  /// Lets the person read to the end. Who leaves before has seen enough: that is no error of the output.
  /// kInvalidArgument: nothing was shown, because the shell could not run it after all.
  Result<int> End(const Result<int>& outcome);

 private:
  void Start(const char* command);
  /// The exit code of the shell; 0 where there was none.
  int Wait();

  pid_t process_ = -1;
};

}  // namespace fensi::cli
