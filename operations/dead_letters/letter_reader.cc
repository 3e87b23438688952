#include "operations/dead_letters/letter_reader.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "base/bytes.h"
#include "consumer/file/line_reader.h"
#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/client/topic_tail.h"

namespace fensi::operations {
namespace {

using consumer::DeadLetterMessage;
using consumer::Deadline;
using consumer::LineReader;
using consumer::TailFrom;
using consumer::TopicTail;

constexpr std::chrono::milliseconds kLook{200};

TailFrom FromPlace(const std::optional<Place>& from) {
  if (!from) return TailFrom{};
  return {.kind = TailFrom::Kind::kOffsets, .offsets = {{from->partition, from->offset}}};
}

std::string TextIn(const nlohmann::json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
}

int64_t NumberOf(const nlohmann::json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

/// Bytes that were written with escapes.
std::string BytesOf(const nlohmann::json& line, const char* key) {
  const std::string text = TextIn(line, key);
  const Result<std::string> bytes = Unescape(text);
  return bytes.ok() ? *bytes : text;
}

Result<DeadLetterMessage> ReadLine(std::string_view text) {
  const nlohmann::json line = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!line.is_object()) return InvalidArgument("the line is no dead letter: it is cut, or not a JSON object");
  consumer::DeadLetterRecord parked{.time = NumberOf(line, "time")};
  parked.letter = {.index = TextIn(line, "index"),
                   .reason = TextIn(line, "reason"),
                   .topic = TextIn(line, "topic"),
                   .partition = static_cast<int32_t>(NumberOf(line, "partition")),
                   .offset = NumberOf(line, "offset"),
                   .row = BytesOf(line, "row"),
                   .original_key = BytesOf(line, "key"),
                   .original = line.contains("original") ? TextIn(line, "original") : BytesOf(line, "original_bytes"),
                   .kind = TextIn(line, "kind")};
  if (parked.letter.topic.empty()) return InvalidArgument("the line is no dead letter: it lacks \"topic\"");
  return DeadLetterMessage(std::move(parked));
}

}  // namespace

Status TopicLetters::ForEach(const std::optional<Place>& from, const Use& use) {
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<TopicTail> tail, TopicTail::Create({.cluster = cluster_,
                                                                                   .topic = topic_,
                                                                                   .from = FromPlace(from),
                                                                                   .until_end = true,
                                                                                   .decode = false,
                                                                                   .connect_timeout = silence_}));
  std::optional<Deadline> until_silent(silence_);
  for (;;) {
    FENSI_ASSIGN_OR_RETURN(TopicTail::Outcome outcome, tail->Next(kLook));
    if (std::holds_alternative<TopicTail::End>(outcome)) return Status();
    if (const auto* message = std::get_if<TopicTail::Message>(&outcome)) {
      const Result<bool> more =
          use({message->partition, message->offset}, consumer::DecodeDeadLetterMessage(message->value));
      if (!more.ok() || !*more) return more.status();
      until_silent.emplace(silence_);
    } else if (until_silent->over()) {
      return Status(StatusCode::kUnavailable,
                    "reading topic " + topic_ + ": broker " + cluster_.brokers +
                        " has stopped answering. Check that Kafka works, then run the command again");
    }
  }
}

Status FileLetters::ForEach(const std::optional<Place>& from, const Use& use) {
  Result<std::unique_ptr<LineReader>> opened = LineReader::Open(path_);
  if (opened.status().code() == StatusCode::kNotFound) {
    return Status(StatusCode::kNotFound,
                  "--dead_letters=file:" + path_ + ": there is no such file. Name the file that 'fensi run' writes");
  }
  FENSI_RETURN_IF_ERROR(opened.status());
  const std::unique_ptr<LineReader> reader = std::move(*opened);
  LineReader::Line line;
  int64_t number = 0;
  while (reader->Next(/*may_read=*/true, &line) == LineReader::Outcome::kLine) {
    ++number;
    if (line.text.empty() || (from && (from->partition != 0 || number < from->offset))) continue;
    const Result<bool> more = use({0, number}, ReadLine(line.text));
    if (!more.ok() || !*more) return more.status();
  }
  return reader->status();
}

}  // namespace fensi::operations
