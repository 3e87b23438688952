// The scrub of one index (sweep/scrub.h) on a thread of its own, for as long as the index runs: what it finds goes to
// the log, to numbers that anybody may read, and where that is wanted to the owners of the rows. Nothing of it ends the
// index.
//
// Start and the destructor belong to one thread; the rest may be called from any and returns at once.
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
#include "cli/log/events.h"
#include "cli/repair/owners.h"
#include "consumer/change_source.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/scrub.h"

namespace fensi::cli {

struct ScrubCounts {
  int64_t rows = 0, cells = 0, missing = 0, orphan = 0, differs = 0, failures = 0;
  std::string aside;                    // why nothing was compared for a while; empty: something is
  std::optional<sweep::ScrubSum> last;  // whole pass, of any process
};

class IndexScrub final : public sweep::ScrubListener {
 public:
  struct Parts {
    const mapping::Index* index;
    std::shared_ptr<store::Store> store;  // whose calls end soon after `stopped`
    int64_t rows_per_second;
    bool repair;
    std::function<bool()> stopped;
    std::function<std::string()> aside;  // why it must not work now; empty: it may
  };
  explicit IndexScrub(Parts parts) : parts_(std::move(parts)) {}
  ~IndexScrub() override { Join(); }  // once `stopped` says so

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
  void Aside(const std::string& why) override;
  void Tell(Event event, const Words& words) const;
  Status ReachOwners();
  Status Ask(const std::vector<sweep::Finding>& findings);

  const Parts parts_;
  std::string incarnation_;
  std::unique_ptr<RowOwners> owners_;  // null until they were reached
  std::thread thread_;

  mutable Mutex mu_;
  ScrubCounts counts_ ABSL_GUARDED_BY(mu_);
};

/// "250 source rows and 250 index cells compared, 0 differences".
std::string TextOfPass(const sweep::ScrubSum& sum);

/// What the index may be behind its source by, as far as this process reads its stream; empty: it is not.
std::string WhyBehind(const consumer::StreamState& stream, int64_t now);

}  // namespace fensi::cli
