// Drops the tables of periods of one index that ended longer ago than `keep:` (--drop_expired), on a thread of its own
// for as long as the index runs: at its start and each hour. Any number of daemons of an index may do so. What it drops
// and what it cannot drop goes to the log; nothing of it ends the index.
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
#include "cli/redefinition/expired_tables.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

class IndexExpiry {
 public:
  static constexpr std::chrono::hours kPause{1};

  struct Parts {
    const mapping::Index* index;
    std::shared_ptr<store::Store> store;  // whose calls end soon after `stopped`
    std::function<bool()> stopped;
    std::function<bool()> ready;  // the index works
    Clock* clock = SystemClock();
  };
  explicit IndexExpiry(Parts parts) : parts_(std::move(parts)) {}
  ~IndexExpiry() { Join(); }  // once `stopped` says so

  void Start();
  void Join();
  /// All that is over now. Blocks on the store.
  void DropAll();

 private:
  void Work();
  Status GoOn() const;
  Status DropEach();
  void Failed(const std::string& what, const Status& why) const;

  const Parts parts_;
  std::set<std::string> told_;  // tables that are left alone
  std::thread thread_;
};

}  // namespace fensi::cli
