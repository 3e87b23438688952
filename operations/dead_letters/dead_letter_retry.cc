#include "operations/dead_letters/dead_letter_retry.h"

#include <algorithm>
#include <optional>

#include "consumer/codec/request.h"
#include "consumer/kafka/client/partitioner.h"

namespace fensi::operations {
namespace {

using consumer::DeadLetter;
using consumer::DeadLetterRecord;
using consumer::PartitionedMessage;
using consumer::Placing;

// A dead letter that came back this often is in a loop.
constexpr uint32_t kMostReplays = 3;
constexpr size_t kMostOfAChunk = 1000;
constexpr size_t kMostBytesOfAChunk = 8 << 20;
// Overhead of a message in its batch, and its header.
constexpr int64_t kFrameBytes = 1024;

int64_t SizeOf(const DeadLetter& letter) {
  return static_cast<int64_t>(letter.original.size() + letter.original_key.size());
}

/// Its bytes are no event, so that no state knows them. A request that was one and named a foreign cell has its row.
bool NeverReachedTheState(const DeadLetter& letter, const ReplayTopic& requests) {
  if (letter.kind == "undecodable") return letter.topic != requests.name || letter.row.empty();
  return letter.kind.empty() && letter.row.empty();
}

}  // namespace

struct DeadLetterRetry::Message {
  int32_t partition = 0;
  std::string key;
  std::string value;
  uint32_t replays = 0;
  std::vector<Place> letters;
};

Status DeadLetterRetry::Plan() {
  return ForEachToSend([this](const PlacedLetter& placed) {
    const DeadLetter& letter = placed.parked.letter;
    const bool bytes = NeverReachedTheState(letter, options_.requests);
    if (!bytes) FENSI_RETURN_IF_ERROR(options_.may_ask);
    ++planned_;
    as_bytes_ += bytes ? 1 : 0;
    ++kinds_[KindWord(letter)];
    return Status();
  });
}

Status DeadLetterRetry::Execute(consumer::MessageWriter* writer, LedgerWriter* ledger) {
  Chunk chunk;
  size_t bytes = 0;
  const auto send = [&](PlacedLetter letter) -> Status {
    // It may have come behind the plan.
    if (!NeverReachedTheState(letter.parked.letter, options_.requests)) FENSI_RETURN_IF_ERROR(options_.may_ask);
    bytes += static_cast<size_t>(SizeOf(letter.parked.letter));
    chunk.push_back(std::move(letter));
    if (chunk.size() < kMostOfAChunk && bytes < kMostBytesOfAChunk) return Status();
    bytes = 0;
    return SendChunk(&chunk, writer, ledger);
  };
  FENSI_RETURN_IF_ERROR(ForEachToSend(send));
  FENSI_RETURN_IF_ERROR(SendChunk(&chunk, writer, ledger));
  for (auto& [partition, offsets] : places_) std::sort(offsets.begin(), offsets.end());
  return Status();
}

Status DeadLetterRetry::ForEachToSend(const Use& use) {
  LetterJoiner joiner;
  std::set<Place> named;
  left_.clear();
  unnamed_ = 0;
  int64_t taken = 0;
  const auto take = [&](const Place& place, LetterState state, DeadLetterRecord* parked) -> Result<bool> {
    if (options_.stopped && options_.stopped()) return Status(StatusCode::kCancelled, "stopped");
    if (parked->begins()) {
      if (!options_.filter.Takes(place, state, *parked)) return true;
      if (!options_.filter.places.empty()) named.insert(place);
      if (state != LetterState::kOpen && !options_.ended_too) {
        const std::string name = kLetterStateNames[static_cast<size_t>(state)];
        Leave(place, "it was already " + name + ". To take it once more, add --state " + name);
        return true;
      }
    }
    std::optional<PlacedLetter> whole = joiner.Take(place, std::move(*parked));
    if (!whole || !MayBeSent(*whole)) return true;
    FENSI_RETURN_IF_ERROR(use(std::move(*whole)));
    return options_.most == 0 || ++taken < options_.most;
  };
  FENSI_RETURN_IF_ERROR(log_->ForEach(std::nullopt, take));
  const bool at_end = options_.most == 0 || taken < options_.most;
  for (const Place& place : joiner.TakeIncomplete(at_end)) {
    Leave(place, "parts of it are missing, because its writer died. Retry the whole copy that follows");
  }
  if (at_end) LeaveTheMissing(named);
  return Status();
}

void DeadLetterRetry::LeaveTheMissing(const std::set<Place>& seen) {
  for (const Place& place : options_.filter.places) {
    if (!seen.contains(place))
      Leave(place,
            "no dead letter of this index is there, or Kafka deleted it. See which there are with 'fensi dead-letters "
            "list MAPPING " +
                log_->index() + " --letters'");
  }
}

bool DeadLetterRetry::Leave(const Place& place, const std::string& why) {
  Left& left = left_.try_emplace(why, Left{0, place}).first->second;
  ++left.letters;
  return false;
}

bool DeadLetterRetry::MayBeSent(const PlacedLetter& placed) {
  const DeadLetter& letter = placed.parked.letter;
  const bool bytes = NeverReachedTheState(letter, options_.requests);
  if (bytes && options_.filter.places.empty() && !options_.filter.kinds.contains("undecodable")) {
    ++unnamed_;
    return false;
  }
  if (letter.topic != options_.stream.name && letter.topic != options_.requests.name) {
    return Leave(placed.place, "it comes from a topic that index " + log_->index() +
                                   " does not read. Correct its row: 'fensi repair MAPPING " + log_->index() +
                                   " ROW --execute'");
  }
  if (letter.replays >= kMostReplays && !options_.force) {
    return Leave(placed.place,
                 "it was sent again three times and came back. See why with 'fensi dead-letters show MAPPING " +
                     log_->index() + " PARTITION/OFFSET', and correct the cause. Then add --force");
  }
  if (bytes) return MayGoBack(placed);
  const consumer::Request recheck = RecheckOf(letter.row);
  const Status row = consumer::CheckRequest(recheck);
  if (!row.ok())
    return Leave(placed.place,
                 "it has no valid row key: " + row.message() + ". Discard it with 'fensi dead-letters discard'");
  const size_t size = consumer::EncodeRequest(recheck).size() + recheck.row.size();
  return Fits(placed, static_cast<int64_t>(size), options_.requests);
}

consumer::Request DeadLetterRetry::RecheckOf(const std::string& row) const {
  consumer::Request request;
  request.kind = consumer::Request::Kind::kRecheck;
  request.table = options_.source_table;
  request.row = row;
  request.incarnation = options_.incarnation;
  return request;
}

bool DeadLetterRetry::MayGoBack(const PlacedLetter& placed) {
  const DeadLetter& letter = placed.parked.letter;
  const ReplayTopic& topic = letter.topic == options_.stream.name ? options_.stream : options_.requests;
  if (topic.partitions == 0) {
    return Leave(placed.place, "topic " + topic.name + " no longer exists. Correct the row: 'fensi repair MAPPING " +
                                   log_->index() + " ROW --execute'");
  }
  // Where rows are spread over the partitions, one worker has them all.
  const bool any = letter.original_key.empty() || consumer::NeedsOneWorker(options_.format);
  const int32_t wanted = any ? letter.partition : consumer::PartitionOf(letter.original_key, topic.partitions);
  if (wanted != letter.partition || wanted < 0 || wanted >= topic.partitions) {
    return Leave(
        placed.place,
        "topic " + topic.name + " has " + std::to_string(topic.partitions) +
            " partitions now, and the key of the dead letter belongs to another partition than before. Correct the "
            "row: 'fensi repair MAPPING " +
            log_->index() + " ROW --execute'");
  }
  return Fits(placed, SizeOf(letter), topic);
}

bool DeadLetterRetry::Fits(const PlacedLetter& placed, int64_t bytes, const ReplayTopic& topic) {
  if (topic.max_message_bytes == 0 || bytes + kFrameBytes <= topic.max_message_bytes) return true;
  return Leave(placed.place, "it is larger than topic " + topic.name +
                                 " takes. Raise max.message.bytes of the topic for the time of the retry");
}

std::vector<DeadLetterRetry::Message> DeadLetterRetry::Bytes(const Chunk& chunk, const std::string& topic) const {
  std::vector<Message> messages;
  for (const PlacedLetter& placed : chunk) {
    const DeadLetter& letter = placed.parked.letter;
    if (letter.topic != topic || !NeverReachedTheState(letter, options_.requests)) continue;
    messages.push_back(
        {letter.partition, letter.original_key, letter.original, letter.replays + 1, std::vector<Place>{placed.place}});
  }
  return messages;
}

/// A row is looked at once, however many of its letters there are.
std::vector<DeadLetterRetry::Message> DeadLetterRetry::Rechecks(const Chunk& chunk) const {
  std::map<std::string, Message> rows;
  for (const PlacedLetter& placed : chunk) {
    const DeadLetter& letter = placed.parked.letter;
    if (NeverReachedTheState(letter, options_.requests)) continue;
    Message& message = rows[letter.row];
    message.replays = std::max(message.replays, letter.replays + 1);
    message.letters.push_back(placed.place);
  }
  std::vector<Message> messages;
  for (auto& [row, message] : rows) {
    message.partition = consumer::PartitionOf(row, options_.requests.partitions);
    message.key = row;
    message.value = consumer::EncodeRequest(RecheckOf(row));
    messages.push_back(std::move(message));
  }
  return messages;
}

/// Records acknowledged messages even if the rest failed.
Status DeadLetterRetry::SendChunk(Chunk* chunk, consumer::MessageWriter* writer, LedgerWriter* ledger) {
  std::vector<Place> done;
  Status failure = Send(options_.stream.name, Bytes(*chunk, options_.stream.name), writer, &done);
  std::vector<Message> requests = Bytes(*chunk, options_.requests.name);
  for (Message& recheck : Rechecks(*chunk)) requests.push_back(std::move(recheck));
  const Status asked = Send(options_.requests.name, requests, writer, &done);
  if (failure.ok()) failure = asked;
  chunk->clear();
  sent_ += static_cast<int64_t>(done.size());
  if (!done.empty()) FENSI_RETURN_IF_ERROR(ledger->Note(done));
  return failure;
}

Status DeadLetterRetry::Send(const std::string& topic, const std::vector<Message>& messages,
                             consumer::MessageWriter* writer, std::vector<Place>* done) {
  if (messages.empty()) return Status();
  std::vector<PartitionedMessage> placed;
  placed.reserve(messages.size());
  for (const Message& message : messages) {
    placed.push_back({message.partition, message.key, message.value, message.replays});
  }
  FENSI_ASSIGN_OR_RETURN(const std::vector<Placing> written, writer->WriteAll(topic, placed));
  Status failure;
  for (size_t i = 0; i < messages.size(); ++i) {
    const Placing& placing = written[i];
    if (!placing.status.ok()) {
      if (failure.ok()) failure = placing.status.WithContext("dead letter " + PlaceText(messages[i].letters.front()));
      continue;
    }
    done->insert(done->end(), messages[i].letters.begin(), messages[i].letters.end());
    places_[{topic, messages[i].partition}].push_back(placing.offset);
  }
  return failure;
}

}  // namespace fensi::operations
