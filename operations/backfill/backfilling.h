// Runs one backfill of one index in this process: its plan, its proof (M16), its work. Or steers the running job for a
// person.
//
// Blocks on the store and on Kafka; on the thread that waits for signals.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/exit_codes.h"
#include "consumer/dead_letters.h"
#include "mapping/index.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "operations/access/kafka.h"
#include "operations/access/stores.h"
#include "operations/backfill/owners.h"
#include "operations/backfill/wish.h"
#include "store/store.h"
#include "sweep/jobs/board.h"

namespace fensi::operations {

struct BackfillingOptions {
  StoreOptions store;
  KafkaOptions kafka;  // Kafka of the stream; not for an embedded store
  bool execute = false;
  std::chrono::seconds begin_wait{30};  // for 'fensi run' to begin the index, and as long for its first watermark
  int workers = 4;
  int64_t ahead_rows = 500'000;  // the scan waits while more rows are read and not applied
  bool json = false;
  /// Where dead letters go for rows that this process owns itself; and the name of that place.
  std::function<Result<std::shared_ptr<consumer::DeadLetterSink>>(const mapping::Index&)> letters;
  std::function<std::string(const mapping::Index&)> letters_place;
};

class Backfilling {
 public:
  Backfilling(std::shared_ptr<const mapping::Index> index, std::shared_ptr<store::Store> store, BackfillWish wish,
              BackfillingOptions options)
      : index_(std::move(index)),
        store_(std::move(store)),
        wish_(Named(std::move(wish), *index_)),
        options_(std::move(options)),
        row_(store_.get(), options_.store.meta_table, meta::JobRow(index_->name(), "backfill")),
        record_(meta::VersionedMetaRow(store_.get(), options_.store.meta_table, meta::IndexRow(index_->name()))) {}

  /// Steers the running job.
  Result<int> Steer(sweep::Wish wish);

  Status Prepare();

  void PrintPlan() const;

  /// M16: only a watermark shows that changes come from the source to the index.
  Status RequireProof() const;

  Result<int> Execute();

 private:
  static BackfillWish Named(BackfillWish wish, const mapping::Index& index) {
    wish.index = index.name();
    return wish;
  }
  /// With an embedded store, which this process has alone.
  bool owner_itself() const { return StoreIsEmbedded(options_.store.url); }
  /// A plan waits for nothing.
  std::chrono::seconds begin_wait() const { return options_.execute ? options_.begin_wait : std::chrono::seconds(0); }
  /// Waits for the watermark: it comes within seconds from a 'fensi run' that has just begun.
  Status AwaitMark();

  void NoteJoined(const sweep::Job& job);

  /// Reads what the meta table has of this index, not of an earlier one of its name.
  Status ReadKnown();

  Status MeetOwners();

  /// For an embedded store, if the backfill is executed: becomes the owner, which continues the unfinished requests of
  /// the last time at once.
  Status BeOwner();

  const std::shared_ptr<const mapping::Index> index_;
  const std::shared_ptr<store::Store> store_;
  const BackfillWish wish_;
  const BackfillingOptions options_;
  const meta::VersionedMetaRow row_;
  const meta::IndexRecord record_;
  std::unique_ptr<Owners> owners_;
  std::string incarnation_;  // empty: the index has not begun
  std::vector<sweep::RowRange> ranges_;
  int64_t regions_ = 0;
  meta::IndexState state_;
  std::optional<sweep::JobSnapshot> board_;  // of its last backfill
};

}  // namespace fensi::operations
