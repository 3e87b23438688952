// Brings the rows of bulk loads into an index (M27): reads the regions of the loads that wait (meta/bulk_loads.h), and
// sends images of their rows to the partition owners, as a backfill of just these rows. Forgets a load when its images
// are applied.
//
// Any number of processes follow the loads of an index: they share one job by its board. A crash anywhere continues the
// job, or repeats it. Blocks on the store and on brokers; one thread. Everything that is handed in outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "consumer/kafka/client/topic_admin.h"
#include "mapping/index.h"
#include "meta/bulk_loads.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "operations/access/kafka.h"
#include "operations/backfill/owners.h"
#include "operations/loads/load_progress.h"
#include "store/store.h"
#include "sweep/jobs/backfill_worker.h"
#include "sweep/jobs/board.h"

namespace fensi::operations {

/// How far the owners of an index have applied its stream.
class AppliedStream {
 public:
  virtual ~AppliedStream() = default;
  virtual Result<Owners::Offsets> Ends() = 0;
  /// Messages below these ends that are not applied yet.
  virtual Result<int64_t> Waiting(const Owners::Offsets& ends) = 0;
};

/// By the offsets that the group of the index has committed.
class KafkaAppliedStream final : public AppliedStream {
 public:
  /// Does not wait for a broker. The index outlives it.
  static Result<std::unique_ptr<AppliedStream>> Create(const mapping::Index* index, const KafkaOptions& kafka);

  Result<Owners::Offsets> Ends() override;
  Result<int64_t> Waiting(const Owners::Offsets& ends) override;

 private:
  KafkaAppliedStream(const mapping::Index* index, std::unique_ptr<consumer::TopicAdmin> admin)
      : index_(index), admin_(std::move(admin)) {}

  const mapping::Index* const index_;
  const std::unique_ptr<consumer::TopicAdmin> admin_;
};

// Brings the rows of bulk loads into an index.

class LoadFollower {
 public:
  /// Loads of one job; the others wait for the next.
  static constexpr size_t kMostLoads = 1'000;
  /// The scan waits while more images are sent and not applied.
  static constexpr int64_t kAheadRows = 50'000;
  /// A watermark that stands still for this long proves nothing more: HBase or the captures do not send it.
  static constexpr std::chrono::minutes kStill{2};

  struct Parts {
    const mapping::Index* index;
    store::Store* store;  // of the source, the states and the meta table
    std::string meta_table;
    std::chrono::milliseconds clock_skew;  // by which clocks of the source's servers may differ
    Clock* clock;
    LoadListener* listener;
    std::function<Result<std::unique_ptr<Owners>>()> find_owners;
    std::function<Result<std::unique_ptr<AppliedStream>>()> find_stream;
    std::function<Status()> go_on;  // called often; an error ends the work
  };
  explicit LoadFollower(Parts parts);

  /// Follows the loads that wait now. Ok: they are done, or none waits. After any error call it again: it continues.
  Status Turn();

 private:
  struct Work;

  Result<sweep::Job> JoinJob(Work* work);
  Result<sweep::Job> MakeJob(const std::optional<sweep::Job>& known, Work* work);
  Result<std::vector<sweep::RowRange>> RangesOf(const std::vector<meta::LoadedRegion>& loads) const;
  Status Follow(Work* work, const sweep::Job& job);
  /// Waits until every change from before the loads is applied: by offsets, and by the watermark if there is one.
  Status AwaitStream(const Work& work);
  Status AwaitWatermark(const Work& work);
  Status Scan(Work* work, const sweep::Board& board);
  Status Watch(Work* work, const sweep::Board& board);
  Status AwaitOwners(const Work& work);
  Status Finish(const Work& work, const sweep::Board& board);
  /// Sleeps until `waiting` returns 0, as long as nothing fails.
  Status Until(const std::string& what, const std::function<Result<int64_t>()>& waiting);
  void Tell(std::string waits_for);

  const Parts parts_;
  const meta::VersionedMetaRow board_row_;
  LoadProgress progress_;
};

/// The rows of the loads as ranges that do not overlap. A region that the table does not have any more may have been
/// split or merged: its rows are those from its first row to the end of the table.
std::vector<sweep::RowRange> RowsOfLoads(const std::vector<meta::LoadedRegion>& loads,
                                         const std::vector<store::RegionBounds>& regions);

}  // namespace fensi::operations
