// Writes one call to Kafka on a worker thread: entries to events to messages.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "capture/column_set.h"
#include "capture/notices.h"
#include "capture/publish/counts.h"
#include "capture/publish/publisher.h"
#include "capture/rpc/call.h"
#include "capture/wal/call_markers.h"
#include "capture/wal/entry_rows.h"
#include "consumer/codec/event_codec.h"

namespace fensi::capture {

/// Shared by all workers; all members outlive them and are thread-safe or constant.
struct WriterContext {
  const std::map<std::string, std::string, std::less<>>& topics;
  const std::string& dead_letter_topic;
  const size_t message_limit;
  const ColumnSet& may_be_large;  // a cell of these that is too large is no alarm
  RegionMarks& marks;
  const Notices& alarm;                                             // counts, too
  const std::function<void(std::string_view)>& other_table;         // an entry of a table that was not asked for
  const std::function<void(std::string_view)>& on_restricted_cell;  // a cell that not everybody may see
  const std::function<Status(const ClusterUuid&)>& check_source;
  Clock* const clock;
};

/// Results of a call, if all of it becomes durable.
struct CallYield {
  Counts counts;
  NewestByRegion newest;
  CallMarkers markers;
};

/// Not thread-safe; used for one call.
class CallWriter {
 public:
  CallWriter(const WriterContext& context, consumer::TrackedProducer* producer, const Call& call,
             CallDelivery* delivery)
      : context_(context), producer_(producer), call_(call), delivery_(delivery), began_(context.clock->WallMillis()) {}

  /// Sends everything; returns the outcome, except for deliveries that are still pending.
  Status Write(CallYield* yield);

 private:
  Status WriteEntry(const WalEntry& entry, CallYield* yield);
  void Note(const WalEntry& entry, CallYield* yield);
  /// False: the entry has no markers.
  bool TakeMarkers(const WalEntry& entry, CallYield* yield);
  int64_t WriteTimeOf(const WalEntry& entry) const;
  TableCounts* OfTable(const WalEntry& entry, CallYield* yield);
  Status WriteRows(const WalEntry& entry, const std::string& topic, CallYield* yield);
  Status WriteWhole(const WalEntry& entry, const RowCells& row, const std::string& topic);
  Status WriteLarge(const WalEntry& entry, const RowCells& row, const std::string& topic);
  Status WriteDeadLetter(const WalEntry& entry, const hbase::CellView& cell, const std::string& topic);
  /// Sends event_.
  Status SendEvent(const consumer::EventPart& part, const std::string& topic);
  Status Send(const std::string& topic, std::string_view key, std::string_view value);
  Status WriteBulkLoad(const WalEntry& entry, const RowCells& row, const std::string& topic, TableCounts* of_table);
  /// Blocks until Kafka has everything that was sent before, or some of it failed.
  Status AwaitDelivered() const;
  void AlarmOfLabels(const WalEntry& entry, const RowCells& row);

  const WriterContext& context_;
  consumer::TrackedProducer* const producer_;
  const Call& call_;
  CallDelivery* const delivery_;
  const int64_t began_;  // milliseconds since the epoch
  std::map<std::string, consumer::TrackedProducer::Topic> handles_;
  std::optional<ClusterUuid> checked_;  // source cluster of the entry before
  ChangeEvent event_;                   // current message
  consumer::EventEncoder encoder_;
  std::string value_;
};

}  // namespace fensi::capture
