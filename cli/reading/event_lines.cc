#include "cli/reading/event_lines.h"

#include <unistd.h>

#include "cli/program/output.h"

namespace fensi::cli {

using consumer::LineReader;

Result<std::unique_ptr<EventLines>> EventLines::Open() {
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<LineReader> reader, LineReader::Open("-"));
  PromptOnTerminal();
  return std::unique_ptr<EventLines>(new EventLines(std::move(reader)));
}

Status EventLines::ForEach(const Use& use) { return ForEachItem(use); }

Status EventLines::ForEachMessage(const UseOf<consumer::JsonMessage>& use) { return ForEachItem(use); }

template <typename Item>
Status EventLines::ForEachItem(const UseOf<Item>& use) {
  consumer::JsonDecoder decoder;
  LineReader::Line line;
  for (int64_t number = 1;; ++number) {
    switch (reader_->Next(true, &line)) {
      case LineReader::Outcome::kEnd:
      case LineReader::Outcome::kWoken:
        return Status();
      case LineReader::Outcome::kFailed:
        return reader_->status();
      case LineReader::Outcome::kLine:
        break;
    }
    if (line.text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Item item;
    const Status decoded = decoder.DecodePadded(line.text, &item);
    FENSI_RETURN_IF_ERROR(use(number, decoded.ok() ? Result<Item>(std::move(item)) : Result<Item>(decoded)));
  }
}

void PromptOnTerminal() {
  if (isatty(STDIN_FILENO) != 1) return;
  Say("reading events from this terminal: enter one JSON object a line ('fensi help events'). Ctrl-D ends the input");
}

Status ForEachEventLine(const EventLines::Use& use) {
  const Result<std::unique_ptr<EventLines>> lines = EventLines::Open();
  return lines.ok() ? (*lines)->ForEach(use) : lines.status();
}

}  // namespace fensi::cli
