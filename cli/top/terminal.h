// The terminal as a full screen: its own page, keys one by one, and as it was before when it ends, whichever way but
// SIGKILL. The stop signals are events here, too, so that nothing is half drawn when they come.
//
// One thread, which blocks in Await only. There is one at a time; make it before any other thread exists, since these
// would take its signals.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/top/top_screen.h"

namespace fensi::cli {

class Terminal {
 public:
  /// kInvalidArgument: standard input and output are no terminal that could be drawn on.
  static Status Possible();
  static Result<std::unique_ptr<Terminal>> Open();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  struct Event {
    bool end = false;    // a stop signal, or the terminal is gone
    bool again = false;  // redraw everything: another size, or the process was stopped
    std::string bytes;   // that were typed
  };
  /// Waits for events within that time. Handles a stop of job control (Ctrl-Z).
  Event Await(std::chrono::milliseconds timeout);

  ScreenSize size() const;
  /// Draws at most size().rows lines; an error if the screen cannot be written any more.
  Status Draw(const std::vector<ScreenLine>& lines);

 private:
  struct Before;
  Terminal(std::unique_ptr<Before> before, int signals);

  void Enter();
  void Leave();
  void TakeSignal(Event* event);

  const std::unique_ptr<Before> before_;
  const int signals_;  // a descriptor
};

}  // namespace fensi::cli
