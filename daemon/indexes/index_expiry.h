// Drops the expired period tables of one index (--drop_expired), on a thread of its own for as long as the index runs:
// at its start and each hour. Any number of daemons of an index may do so. Drops and failures go to the log; they never
// end the index.
//
// Start and the destructor belong to one thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "base/clock.h"
#include "mapping/index.h"
#include "operations/alias/expired_tables.h"
#include "store/store.h"

namespace fensi::daemon {

class IndexExpiry {
 public:
  static constexpr std::chrono::hours kPause{1};

  struct Parts {
    const mapping::Index* index;
    std::shared_ptr<store::Store> store;  // whose calls end soon after `stopped`
    operations::ExpiryOptions options;
    std::function<bool()> stopped;
    std::function<bool()> ready;  // true while the index runs
    Clock* clock = SystemClock();
  };
  explicit IndexExpiry(Parts parts) : parts_(std::move(parts)) {}
  ~IndexExpiry() { Join(); }  // after `stopped` returns true

  void Start();
  void Join();
  /// Drops all expired tables. Blocks on the store.
  void DropAll();

 private:
  void Work();
  Status GoOn() const;
  Status DropEach();
  void Failed(const std::string& what, const Status& why) const;

  const Parts parts_;
  std::set<std::string> told_;  // reported tables that are left alone
  std::thread thread_;
};

}  // namespace fensi::daemon
