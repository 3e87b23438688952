// Runs many actions of one kind on rows of a table, in flight on all their servers, until each is done or refused.
//
// Blocks; used by one thread. Retries actions whose region moved, split or is unavailable for a while; actions of other
// regions do not wait for them. Actions on one row keep their order. The first lasting error ends the batch: it waits
// for actions in flight, sends nothing more, and any subset may have been applied.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hbase/calls/context.h"
#include "hbase/calls/multi.h"
#include "hbase/wire/answer_queue.h"

namespace fensi::hbase {

struct BatchLimits {
  size_t actions = 4'000;  // of one call; HBase logs calls with more than 5,000
  size_t bytes = 4 << 20;  // of one call's request, unless one action has more
  size_t calls_of_server = 4;
  size_t calls = 16;
};

/// The kind of actions.
class BatchActions {
 public:
  virtual ~BatchActions() = default;
  virtual size_t size() const = 0;
  virtual std::string_view RowOf(size_t item) const = 0;
  virtual size_t BytesOf(size_t item) const = 0;
  virtual std::string Build(const CallHead& head, std::span<const RegionActions> regions) const = 0;
  /// The action is done.
  virtual void Take(size_t item, RegionAnswer::OfItem* answer, const FrameBytes& frame) = 0;
  /// HBase refuses the action. Ok: the refusal is recorded, and the batch continues.
  virtual Status Refuse(const Refusal& refusal) = 0;
  /// True if the exception may be the fault of one action. If it came for all actions of a region, that action is
  /// searched by halving. Otherwise it ends the batch.
  virtual bool MayBlameOne(const RemoteError& error) const = 0;
  /// True if they change rows: the actions on one row stay in order, and none may start after its time.
  virtual bool Change() const = 0;
  /// "put of 3 rows", for messages.
  virtual std::string Doing() const = 0;
};

class Batch {
 public:
  /// All arguments must outlive it.
  Batch(const CallContext& context, const std::string& table, BatchActions* actions, const BatchLimits& limits = {});

  Status Run();

 private:
  struct Call {
    std::shared_ptr<Connection> connection;
    std::vector<RegionActions> regions;
  };
  using Items = std::vector<size_t>;

  /// Divides the items, so that one call takes all that a part has of one row, and those of a row are side by side.
  std::vector<Items> CutIntoParts();
  /// End of the items that must stay in order with the one at `begin`: those of its row.
  size_t UnitEnd(const Items& items, size_t begin) const;
  Status RunPart(const Items& part);
  /// Plans what waits for those before it, once nothing else is left. False: nothing waits.
  bool PlanHeld();
  void Plan(const Items& items);
  void PlanDue();
  void SendReady();
  /// True if an earlier call had one of the actions, and did not end it.
  bool Repeats(const std::vector<RegionActions>& regions) const;
  void SendTo(const ServerAddress& server, std::deque<RegionActions>* ready);
  std::vector<RegionActions> TakeFor(std::deque<RegionActions>* ready);
  void TakeAnswer(size_t call_number, Answer answer);
  void TakeErrorOfCall(const Call& call, const RemoteError& error);
  void TakeRegion(const Call& call, const RegionActions& region, RegionAnswer* answer, const FrameBytes& frame);
  void TakeItems(const Call& call, const RegionActions& region, RegionAnswer* answer, const FrameBytes& frame);
  /// Takes one item's result. True: it must be repeated, because of `why`.
  bool TakeItem(const Call& call, const RegionActions& region, RegionAnswer::OfItem* one, const FrameBytes& frame,
                RemoteError* why);
  void TakeWholeError(const Call& call, const RegionActions& region, const RemoteError& error);
  void Retry(const RegionActions& region, Items items, const RemoteError& error, const std::string& server);
  void RetryLater(Items items, Remedy remedy, const Status& why);
  void RefuseItem(size_t item, const RemoteError& error, bool named);
  void Halve(const RegionActions& region);
  void Fail(const Status& why);
  Status FaultOfTable(const std::string& server, const RemoteError& error) const;
  Status TextOf(const std::string& server, const RedactableText& what) const;
  std::optional<Deadline> NextDue() const;

  const CallContext& context_;
  const std::string& table_;
  BatchActions* const actions_;
  const BatchLimits limits_;
  bool asks_state_ = true;    // of the table, once for the answer that is being taken
  bool gets_on_ = false;      // the answer that is being taken brought something
  bool rows_repeat_ = false;  // some actions are on one row and must stay in order
  Status failure_;
  std::vector<RetryPace> paces_;                            // by item
  std::vector<bool> refused_;                               // by item
  std::vector<bool> halved_;                                // by item: is searched by halving
  Items held_;                                              // until those before them on their row are settled
  std::map<std::string, std::deque<RegionActions>> ready_;  // by server
  std::multimap<Deadline, Items> later_;
  std::map<size_t, Call> calls_;  // in flight, by number
  std::map<std::string, size_t> calls_of_server_;
  size_t last_call_ = 0;
  AnswerQueue queue_;
};

}  // namespace fensi::hbase
