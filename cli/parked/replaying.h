// `fensi parked replay`: what a letter asked for is brought to the owner of its row once more.
//
// Of a letter that never reached the state the original bytes go back to where they came from. All others are known to
// the state, which takes the same bytes for a repetition: the owner is asked to look at the row again, as a repair asks
// (M14). First the messages, then the ledger: who dies in between sends them again, and neither does harm when it comes
// twice. Blocks; one thread. Memory: the letters of one chunk, and eight bytes for each message that was sent.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/parked/ledger_writer.h"
#include "cli/parked/letter_filter.h"
#include "cli/parked/letter_joiner.h"
#include "cli/parked/parked_letters.h"
#include "consumer/codec/event_decoder.h"
#include "consumer/codec/request.h"

namespace fensi::cli {

/// A topic to which messages may go.
struct ReplayTopic {
  std::string name;
  int32_t partitions = 0;         // 0: there is no such topic
  int64_t max_message_bytes = 0;  // 0: not known
};

struct ReplayOptions {
  LetterFilter filter;
  bool ended_too = false;  // the ledger does not matter
  int64_t most = 0;        // letters; 0: all
  bool force = false;      // also those that came back three times
  consumer::Format format = consumer::Format::kChangeEvent;
  // What letters say of other topics is not believed: anybody may write letters.
  ReplayTopic stream, requests;
  std::string source_table;
  std::string incarnation;
  Status may_ask;                           // why no owner can be asked to look at a row; ok: he can
  std::function<bool()> stopped = nullptr;  // asked between letters
};

class LetterReplay {
 public:
  /// Where messages came to stand, by topic and partition; sorted.
  using Sent = std::map<std::pair<std::string, int32_t>, std::vector<int64_t>>;

  LetterReplay(const ParkedLetters* parked, ReplayOptions options) : parked_(parked), options_(std::move(options)) {}

  /// Looks at all of them and writes nothing. An error of `may_ask`, when somebody would have to be asked.
  Status Plan();
  /// What was sent before an error is in the ledger. Behind Plan.
  Status Execute(consumer::MessageWriter* writer, LedgerWriter* ledger);

  const std::map<std::string, int64_t>& kinds() const { return kinds_; }  // of those that are planned
  int64_t planned() const { return planned_; }
  int64_t as_bytes() const { return as_bytes_; }  // of those that are planned: the others are rechecks
  /// Why letters that were meant stay, the number of each, and the first.
  struct Left {
    int64_t letters = 0;
    Place first;
  };
  const std::map<std::string, Left>& left() const { return left_; }
  /// Of those that stay because nobody named them.
  int64_t unnamed() const { return unnamed_; }
  int64_t sent() const { return sent_; }  // letters
  const Sent& places() const { return places_; }

 private:
  using Use = std::function<Status(PlacedLetter letter)>;
  using Chunk = std::vector<PlacedLetter>;
  /// The whole letters that may be sent, one after the other.
  Status ForEachToSend(const Use& use);
  void LeaveTheMissing(const std::set<Place>& seen);
  bool MayBeSent(const PlacedLetter& letter);
  bool MayGoBack(const PlacedLetter& letter);
  /// Does a message of so many bytes fit into its topic?
  bool Fits(const PlacedLetter& letter, int64_t bytes, const ReplayTopic& topic);
  consumer::Request RecheckOf(const std::string& row) const;
  bool Leave(const Place& place, const std::string& why);
  Status SendChunk(Chunk* chunk, consumer::MessageWriter* writer, LedgerWriter* ledger);
  /// The letters of each message are noted in `done` when it is acknowledged.
  struct Message;
  Status Send(const std::string& topic, const std::vector<Message>& messages, consumer::MessageWriter* writer,
              std::vector<Place>* done);
  std::vector<Message> Bytes(const Chunk& chunk, const std::string& topic) const;
  std::vector<Message> Rechecks(const Chunk& chunk) const;

  const ParkedLetters* const parked_;
  const ReplayOptions options_;
  std::map<std::string, int64_t> kinds_;
  std::map<std::string, Left> left_;
  int64_t unnamed_ = 0;
  int64_t planned_ = 0;
  int64_t as_bytes_ = 0;
  int64_t sent_ = 0;
  Sent places_;
};

}  // namespace fensi::cli
