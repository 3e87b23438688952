// Writes heartbeat rows, so that region servers stay awake: a replication source sleeps longer and longer while its WAL
// gets no entry, and any entry of any table wakes it.
//
// Owns a thread that puts one row into each region of a table periodically.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/periodic_thread.h"
#include "capture/notices.h"
#include "store/store.h"

namespace fensi::daemon {

class Heartbeat {
 public:
  Heartbeat(std::unique_ptr<store::Store> store, std::string table, std::chrono::milliseconds period,
            capture::Notices notices);
  /// Waits for no server: abandons calls in flight.
  ~Heartbeat();

  /// kNotFound, kUnavailable … of the table; then the thread starts.
  Status Start();

 private:
  Status Beat();
  void BeatAgain();

  const std::unique_ptr<store::Store> owned_;
  const std::unique_ptr<store::Store> store_;  // the same; its calls end when this object does
  const std::string table_;
  const std::chrono::milliseconds period_;
  const capture::Notices notices_;
  std::string family_;
  std::atomic<bool> stopping_ = false;
  bool told_ = false;  // used by thread_: the last heartbeat failed, which was reported
  std::optional<PeriodicThread> thread_;
};

}  // namespace fensi::daemon
