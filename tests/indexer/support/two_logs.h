// A stream that begins late, beside requests of its rows: images that scans read, rechecks of what was damaged. Owners
// apply both in the order of M12 and die, or lose the partition in a call that arrives later.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "indexer/requests/position.h"
#include "indexer/requests/told_requests.h"
#include "tests/indexer/support/history.h"
#include "tests/indexer/support/storm_store.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {

constexpr char kIncarnation[] = "0123456789abcdef";

/// What the scanner of a backfill tells of a source row now. No cells: the row is absent.
consumer::Request ImageOf(World* world, const std::string& row);
consumer::Request RecheckOf(const std::string& row, std::vector<consumer::Suspect> suspects = {});
consumer::RequestBatch AskFor(World* world, const std::vector<consumer::Request>& requests, int64_t offset = 0);
indexer::ToldRequests ToldOf(World* world, const std::vector<consumer::Request>& requests);
/// Applies them, with the second look.
Status ApplyRequests(World* world, indexer::IndexMaintainer* owner, const std::vector<consumer::Request>& requests);

struct AskSpec {
  enum Kind { kImage, kParts, kRecheck, kPlanted, kMarked };
  int kind = kImage;
  int at = 0;  // events of the stream that are told before
  int row = 0;
  int cell = 0;        // of those that the index may have
  int timestamp = 10;  // of what is planted there
};

/// What somebody might do instead, because it is less work. Each leaves an index that is wrong.
enum class Simpler {
  kNothing,
  kScannerWrites,         // F27: who scans applies what he read, beside the owner
  kMixesFreely,           // F28: no log comes first after an opening
  kScansBeforeTheStream,  // F29
  kKnowsNewKeys,          // F32: no state is read of a key that this process has not met
  kToolRepairs,           // F33: who found something wrong writes it himself
};

struct TwoLogsSpec {
  History history;
  Simpler simpler = Simpler::kNothing;
  int early = 0;  // events before the stream began
  std::vector<AskSpec> asks;
  std::vector<int> turns;  // which log is next, where an owner is free to choose
  std::vector<LateCall> held, repeated;
};

class TwoLogs {
 public:
  TwoLogs(World* world, TwoLogsSpec spec);

  /// The first difference, or nothing.
  std::string Differs();
  size_t deaths() const { return deaths_; }
  size_t requests() const { return log_.size(); }

 private:
  bool Finished() const { return committed_ == stream_.size() && asked_ == asks_.size() && all_done_; }
  void LiveOnce(bool fresh);
  bool LiveInOrder(indexer::IndexMaintainer* owner, indexer::RequestsPosition* position,
                   consumer::RequestPosition start);
  bool ApplyStream(indexer::IndexMaintainer* owner);
  bool ApplyAsked(indexer::IndexMaintainer* owner, indexer::RequestsPosition* position, size_t end);
  Status NoteAndApply(indexer::IndexMaintainer* owner, indexer::RequestsPosition* position, size_t end);
  void Arm();
  bool Lives(const Status& status);
  void AskWhatIsDue();
  void Ask(const AskSpec& spec);
  void AskFor(const consumer::Request& request);
  void RepairByHand(const std::string& row, const consumer::Suspect* planted);
  /// A cell that the index may have of the row.
  consumer::Suspect SomeCellOf(const AskSpec& spec) const;
  void AskForTheDamaged();
  void AdvanceSource(size_t to);
  void Compare(const std::string& when);
  void Tell(const std::vector<std::string>& cells);

  World* const world_;
  const TwoLogsSpec spec_;
  StormStore storm_;
  std::vector<ChangeEvent> events_, stream_;
  std::vector<size_t> order_;
  std::vector<AskSpec> asks_;
  std::vector<consumer::Request> log_;
  std::vector<std::pair<std::string, consumer::Suspect>> planted_;
  std::vector<std::string> damaged_;
  size_t source_ = 0, position_ = 0, committed_ = 0, furthest_ = 0, asked_ = 0, next_request_ = 0;
  size_t batches_ = 0, turn_ = 0, deaths_ = 0;
  bool all_done_ = false, damaged_asked_ = false;
  std::string difference_;
};

}  // namespace fensi::testing
