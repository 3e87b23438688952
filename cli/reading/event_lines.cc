#include "cli/reading/event_lines.h"

#include "consumer/codec/json_codec.h"
#include "consumer/file/line_reader.h"

namespace fensi::cli {

using consumer::LineReader;

Status ForEachEventLine(const std::function<Status(int64_t line, const Result<ChangeEvent>& event)>& use) {
  const Result<std::unique_ptr<LineReader>> reader = LineReader::Open("-");
  if (!reader.ok()) return reader.status();
  consumer::JsonDecoder decoder;
  LineReader::Line line;
  for (int64_t number = 1;; ++number) {
    switch ((*reader)->Next(true, &line)) {
      case LineReader::Outcome::kEnd:
      case LineReader::Outcome::kWoken:
        return Status();
      case LineReader::Outcome::kFailed:
        return (*reader)->status();
      case LineReader::Outcome::kLine:
        break;
    }
    if (line.text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    ChangeEvent event;
    const Status decoded = decoder.DecodePadded(line.text, &event);
    FENSI_RETURN_IF_ERROR(
        use(number, decoded.ok() ? Result<ChangeEvent>(std::move(event)) : Result<ChangeEvent>(decoded)));
  }
}

}  // namespace fensi::cli
