#include "operations/dead_letters/showing.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "consumer/codec/json_decoder.h"
#include "consumer/codec/json_requests.h"
#include "mapping/diagnostics.h"
#include "operations/access/position.h"
#include "operations/console/console.h"
#include "operations/json/json_line.h"
#include "operations/trial/explainer.h"

namespace fensi::operations {
namespace {

using consumer::DeadLetter;
using consumer::DeadLetterRecord;

const char* StateText(const DeadLetterLog& parked, const PlacedLetter& letter) {
  return kLetterStateNames[static_cast<size_t>(parked.StateOf(letter.place))];
}

using Entry = std::optional<consumer::Resolution>;

std::string EntryText(const consumer::Resolution& entry) {
  const bool dropped = entry.action == consumer::Resolution::Action::kDropped;
  return (dropped ? "discarded by " : "retried by ") + Escape(entry.who) + ", " + TimeText(entry.time) +
         (entry.why.empty() ? "" : ": " + Escape(entry.why));
}

void PrintJson(const DeadLetterLog& parked, const PlacedLetter& found, const Entry& entry,
               const Result<std::string>& line) {
  const DeadLetter& letter = found.parked.letter;
  nlohmann::ordered_json json = {{"letter", PlaceText(found.place)},
                                 {"state", StateText(parked, found)},
                                 {"index", letter.index},
                                 {"time", TimeText(found.parked.time)},
                                 {"kind", KindWord(letter)},
                                 {"reason", letter.reason},
                                 {"topic", letter.topic},
                                 {"partition", letter.partition},
                                 {"offset", letter.offset},
                                 {"retries", letter.replays},
                                 {"row", Escape(letter.row)},
                                 {"key", Escape(letter.original_key)},
                                 {"original_bytes", Escape(letter.original)}};
  if (entry) json["ended"] = {{"who", entry->who}, {"time", TimeText(entry->time)}, {"why", entry->why}};
  json[line.ok() ? "event" : "no_event"] = line.ok() ? *line : line.status().message();
  Print(JsonLine(json));
}

void PrintText(const DeadLetterLog& parked, const PlacedLetter& found, const Entry& entry,
               const Result<std::string>& line) {
  const DeadLetter& letter = found.parked.letter;
  Print("dead letter " + PlaceText(found.place) + " of " + parked.name() + ": " + StateText(parked, found) + "\n");
  Print("  written: " + TimeText(found.parked.time) + " by index " + Escape(letter.index) + "\n");
  if (entry) Print("  ended:   " + EntryText(*entry) + "\n");
  Print("  kind:    " + KindWord(letter) + "\n");
  Print("  reason:  " + ReasonText(letter) + "\n");
  Print("  do:      " + RemedyText(letter) + "\n");
  Print("  from:    " + Escape(letter.topic) + ", partition " + std::to_string(letter.partition) + ", offset " +
        std::to_string(letter.offset) + "\n");
  if (letter.replays > 0) Print("  retries: " + std::to_string(letter.replays) + " before it was written\n");
  Print("  row:     " + Escape(letter.row) + "\n");
  Print("  key:     " + Escape(letter.original_key) + "\n");
  Print("  bytes:   " + Escape(letter.original) + "\n");
  Print("  event:   " + (line.ok() ? *line : "none: " + mapping::SanitizeForTerminal(line.status().message())) + "\n");
}

}  // namespace

Result<std::string> OriginalLine(const DeadLetter& letter, consumer::Format format, ChangeEvent* event) {
  const Status decoded = consumer::EventDecoder(format).Decode(letter.original_key, letter.original, event);
  Result<std::string> line = consumer::JsonLineOf(letter.original_key, letter.original, decoded, *event);
  if (line.ok()) return line;
  // For a recorded file.
  const bool is_text = letter.original.starts_with('{') && consumer::JsonDecoder().Decode(letter.original, event).ok();
  return is_text ? Result<std::string>(letter.original) : line;
}

Result<PlacedLetter> FindLetter(const DeadLetterLog& parked, const Place& place) {
  LetterJoiner joiner;
  std::optional<PlacedLetter> whole;
  bool begun = false;
  FENSI_RETURN_IF_ERROR(
      parked.ForEach(place, [&](const Place& at, LetterState, DeadLetterRecord* part) -> Result<bool> {
        if (!begun && (at != place || !part->begins())) return false;
        begun = true;
        whole = joiner.Take(at, std::move(*part));
        return !whole || whole->place != place;
      }));
  if (whole && whole->place == place) return std::move(*whole);
  const std::string text = PlaceText(place) + " of " + parked.name();
  if (begun)
    return InvalidArgument(
        "dead letter " + text +
        " lacks parts, because its writer died. A whole copy follows in the topic: 'fensi dead-letters list MAPPING " +
        parked.index() + " --letters' names it");
  return Status(StatusCode::kNotFound, "index " + parked.index() + " has no dead letter " + text +
                                           ". 'fensi dead-letters list MAPPING " + parked.index() +
                                           " --letters' lists the dead letters");
}

Status ShowLetter(const DeadLetterLog& parked, const PlacedLetter& letter, std::shared_ptr<const mapping::Index> index,
                  consumer::Format format, bool json) {
  ChangeEvent event;
  const Result<std::string> line = OriginalLine(letter.parked.letter, format, &event);
  FENSI_ASSIGN_OR_RETURN(const Entry entry, parked.EntryAbout(letter.place));
  if (json) {
    PrintJson(parked, letter, entry, line);
    return FinishOutput();
  }
  PrintText(parked, letter, entry, line);
  if (line.ok() && !event.row.empty()) {
    Print("entries that today's mapping derives from this event alone, in an empty index:\n");
    Explainer explainer;
    FENSI_RETURN_IF_ERROR(explainer.AddIndex(std::move(index)));
    FENSI_RETURN_IF_ERROR(explainer.Explain(event));
  }
  return FinishOutput();
}

}  // namespace fensi::operations
