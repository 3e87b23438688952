#include "consumer/codec/letter_codec.h"

#include "proto/dead_letter.pb.h"

namespace fensi::consumer {
namespace {

constexpr char kForPeople[] = "no letter: an entry of the ledger, which 'fensi dead-letters' reads";

Result<DeadLetterMessage> ReadResolution(const proto::DeadLetter& message) {
  const proto::Resolution& read = message.resolution();
  if (read.action() != proto::Resolution::REPLAYED && read.action() != proto::Resolution::DROPPED) {
    return InvalidArgument("the message records the action " + std::to_string(read.action()) +
                           " on dead letters, which this version of fensi does not know. Upgrade fensi");
  }
  Resolution resolution;
  resolution.index = message.index();
  if (read.action() == proto::Resolution::DROPPED) resolution.action = Resolution::Action::kDropped;
  for (const proto::LetterRange& range : read.letters()) resolution.letters.push_back({range.first(), range.last()});
  resolution.who = read.who();
  resolution.why = read.why();
  resolution.time = message.time();
  return DeadLetterMessage(std::move(resolution));
}

}  // namespace

Result<DeadLetterMessage> DecodeDeadLetterMessage(std::string_view bytes) {
  proto::DeadLetter message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return InvalidArgument(
        "the message is no dead letter of fensi, and no record of a retry or discard: another program wrote the "
        "message, or it was cut");
  }
  if (message.has_resolution()) return ReadResolution(message);
  if (message.topic().empty() || message.offset() < 0 || message.partition() < 0) {
    return InvalidArgument(
        "the message is no dead letter of fensi: it lacks the topic, partition or offset of an event");
  }
  if (message.parts() > 0 && (message.part() == 0 || message.part() > message.parts())) {
    return InvalidArgument("the message says that it is part " + std::to_string(message.part()) +
                           " of a dead letter with " + std::to_string(message.parts()) +
                           " parts. Parts are counted from 1");
  }
  DeadLetterRecord parked{.time = message.time(), .part = message.part(), .parts = message.parts()};
  parked.letter = {.index = std::move(*message.mutable_index()),
                   .reason = std::move(*message.mutable_reason()),
                   .topic = std::move(*message.mutable_topic()),
                   .partition = message.partition(),
                   .offset = message.offset(),
                   .row = std::move(*message.mutable_row()),
                   .original_key = std::move(*message.mutable_original_key()),
                   .original = std::move(*message.mutable_original()),
                   .kind = std::move(*message.mutable_kind()),
                   .replays = message.replays()};
  return DeadLetterMessage(std::move(parked));
}

std::string EncodeResolution(const Resolution& resolution) {
  proto::DeadLetter message;
  message.set_index(resolution.index);
  message.set_reason(kForPeople);
  message.set_time(resolution.time);
  proto::Resolution& written = *message.mutable_resolution();
  const bool dropped = resolution.action == Resolution::Action::kDropped;
  written.set_action(dropped ? proto::Resolution::DROPPED : proto::Resolution::REPLAYED);
  written.set_who(resolution.who);
  written.set_why(resolution.why);
  for (const DeadLetterRange& range : resolution.letters) {
    proto::LetterRange& each = *written.add_letters();
    each.set_first(range.first);
    each.set_last(range.last);
  }
  return message.SerializeAsString();
}

}  // namespace fensi::consumer
