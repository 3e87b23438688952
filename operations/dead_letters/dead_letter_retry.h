// Implements `fensi dead-letters retry`: brings the content of a dead letter to the owner of its row once more.
//
// The original bytes of a dead letter that never reached the row state are sent again to their topic. Other dead
// letters are known to the state, which takes the same bytes for a repetition: so the owner gets a recheck of the row,
// as from a repair (M14). First the messages, then the ledger: after a crash in between the messages are sent again,
// and a repetition does no harm. Blocks; one thread. Memory: the dead letters of one chunk, and eight bytes for each
// sent message.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "consumer/codec/event_decoder.h"
#include "consumer/codec/request.h"
#include "operations/dead_letters/dead_letter_log.h"
#include "operations/dead_letters/ledger_writer.h"
#include "operations/dead_letters/letter_filter.h"
#include "operations/dead_letters/letter_joiner.h"

namespace fensi::operations {

/// A topic that may receive messages.
struct ReplayTopic {
  std::string name;
  int32_t partitions = 0;         // 0: the topic does not exist
  int64_t max_message_bytes = 0;  // 0: unknown
};

struct ReplayOptions {
  LetterFilter filter;
  bool ended_too = false;  // ignores the ledger
  int64_t most = 0;        // maximum number; 0: all
  bool force = false;      // includes dead letters that came back three times
  consumer::Format format = consumer::Format::kChangeEvent;
  // Dead letters are not trusted about other topics: anybody may write them.
  ReplayTopic stream, requests;
  std::string source_table;
  std::string incarnation;
  Status may_ask;                           // why no owner can recheck a row; ok: an owner can
  std::function<bool()> stopped = nullptr;  // called between dead letters
};

class DeadLetterRetry {
 public:
  /// Offsets of the sent messages, by topic and partition; sorted.
  using Sent = std::map<std::pair<std::string, int32_t>, std::vector<int64_t>>;

  DeadLetterRetry(const DeadLetterLog* parked, ReplayOptions options) : log_(parked), options_(std::move(options)) {}

  /// Reads all of them and writes nothing. An error of `may_ask`, if a recheck would be necessary.
  Status Plan();
  /// Messages that were sent before an error are in the ledger. Call after Plan.
  Status Execute(consumer::MessageWriter* writer, LedgerWriter* ledger);

  const std::map<std::string, int64_t>& kinds() const { return kinds_; }  // of the planned ones
  int64_t planned() const { return planned_; }
  int64_t as_bytes() const { return as_bytes_; }  // of the planned ones: the others are rechecks
  /// Why selected dead letters stay, the number of each, and the first.
  struct Left {
    int64_t letters = 0;
    Place first;
  };
  const std::map<std::string, Left>& left() const { return left_; }
  /// Dead letters that stay because they were not selected.
  int64_t unnamed() const { return unnamed_; }
  int64_t sent() const { return sent_; }  // dead letters
  const Sent& places() const { return places_; }

 private:
  using Use = std::function<Status(PlacedLetter letter)>;
  using Chunk = std::vector<PlacedLetter>;
  /// Calls `use` with each complete dead letter that may be sent.
  Status ForEachToSend(const Use& use);
  void LeaveTheMissing(const std::set<Place>& seen);
  bool MayBeSent(const PlacedLetter& letter);
  bool MayGoBack(const PlacedLetter& letter);
  /// True if a message of this size fits into its topic.
  bool Fits(const PlacedLetter& letter, int64_t bytes, const ReplayTopic& topic);
  consumer::Request RecheckOf(const std::string& row) const;
  bool Leave(const Place& place, const std::string& why);
  Status SendChunk(Chunk* chunk, consumer::MessageWriter* writer, LedgerWriter* ledger);
  /// The dead letters of each message are added to `done` when it is acknowledged.
  struct Message;
  Status Send(const std::string& topic, const std::vector<Message>& messages, consumer::MessageWriter* writer,
              std::vector<Place>* done);
  std::vector<Message> Bytes(const Chunk& chunk, const std::string& topic) const;
  std::vector<Message> Rechecks(const Chunk& chunk) const;

  const DeadLetterLog* const log_;
  const ReplayOptions options_;
  std::map<std::string, int64_t> kinds_;
  std::map<std::string, Left> left_;
  int64_t unnamed_ = 0;
  int64_t planned_ = 0;
  int64_t as_bytes_ = 0;
  int64_t sent_ = 0;
  Sent places_;
};

}  // namespace fensi::operations
