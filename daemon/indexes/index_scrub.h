// Runs the scrub of one index (sweep/scrub/scrub.h) on a thread of its own, for as long as the index runs: findings go
// to the log, to counters that any thread may read, and optionally as repair requests to the partition owners. They
// never end the index.
//
// Start and the destructor belong to one thread; other calls may come from any thread and return at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "consumer/change_source.h"
#include "daemon/log/events.h"
#include "mapping/index.h"
#include "operations/access/kafka.h"
#include "operations/repair/owners.h"
#include "store/store.h"
#include "sweep/scrub/scrub.h"

namespace fensi::daemon {

struct ScrubCounts {
  int64_t rows = 0, cells = 0, missing = 0, orphan = 0, differs = 0, failures = 0;
  std::string suspended_reason;         // why nothing was compared for a while; empty: something is
  std::optional<sweep::ScrubSum> last;  // whole pass, of any process
};

class IndexScrub final : public sweep::ScrubListener {
 public:
  struct Parts {
    const mapping::Index* index;
    std::shared_ptr<store::Store> store;  // whose calls end soon after `stopped`
    std::string meta_table;
    operations::KafkaOptions kafka;  // of the stream, for requests to owners
    int64_t rows_per_second;
    bool repair;
    std::function<bool()> stopped;
    std::function<std::string()> why_suspended;  // why it must not work now; empty: it may
  };
  explicit IndexScrub(Parts parts) : parts_(std::move(parts)) {}
  ~IndexScrub() override { Join(); }  // after `stopped` returns true

  void Start();
  void Join();
  ScrubCounts counts() const;

 private:
  void Work();
  Status GoOn() const;
  Result<std::string> Incarnation() const;
  Status Piece(const sweep::ScrubSum& sum, const std::vector<sweep::Finding>& findings) override;
  void Pass(const sweep::ScrubSum& sum, bool ours) override;
  void Failed(const Status& why) override;
  void OnSuspended(const std::string& why) override;
  void Tell(Event event, const RedactableText& words) const;
  Status ReachOwners();
  Status Ask(const std::vector<sweep::Finding>& findings);

  const Parts parts_;
  std::string incarnation_;
  std::unique_ptr<operations::RowOwners> owners_;  // null until they were reached
  std::thread thread_;

  mutable Mutex mu_;
  ScrubCounts counts_ ABSL_GUARDED_BY(mu_);
};

/// "250 source rows and 250 index cells compared, 0 differences".
std::string TextOfPass(const sweep::ScrubSum& sum);

/// The lag of the index, as far as this process reads its stream; empty: none.
std::string WhyBehind(const consumer::StreamState& stream, int64_t now);

}  // namespace fensi::daemon
