#include "daemon/log/log_line.h"

#include "base/shown_text.h"
#include "base/text.h"
#include "operations/access/position.h"
#include "operations/json/json_line.h"

namespace fensi::daemon {
namespace {

std::string_view LevelName(LogLevel level) { return kLogLevelNames.at(static_cast<size_t>(level)); }

std::string Shown(const std::string& message) {
  if (message.size() <= kMostMessageBytes) return SanitizeForTerminal(message);
  return SanitizeForTerminal(message.substr(0, kMostMessageBytes)) + " … (" +
         Counted(static_cast<int64_t>(message.size() - kMostMessageBytes), "byte") + " more)";
}

}  // namespace

std::string TextOf(const LogLine& line) {
  const LogLevel level = line.event.rule().level;
  std::string text = operations::TimeText(line.time) + " ";
  if (level != LogLevel::kInfo) text += std::string(LevelName(level)) + ": ";
  text += Shown(line.message);
  if (line.repeated > 0) text += " (" + Counted(line.repeated, "time") + " since the last one)";
  return text + "\n";
}

std::string JsonOf(const LogLine& line) {
  nlohmann::ordered_json json = {{"time", operations::TimeText(line.time)},
                                 {"level", std::string(LevelName(line.event.rule().level))},
                                 {"event", std::string(line.event.rule().name)},
                                 {"message", Shown(line.message)}};
  const LogFields& fields = line.fields;
  const auto add = [&json](const char* key, const std::string& value) {
    if (!value.empty()) json[key] = value;
  };
  add("index", fields.index);
  add("topic", fields.topic);
  if (fields.partition) json["partition"] = *fields.partition;
  if (fields.offset) json["offset"] = *fields.offset;
  add("table", fields.table);
  add("server", fields.server);
  add("code", fields.code);
  if (line.repeated > 0) json["repeated"] = line.repeated;
  return operations::JsonLine(json);
}

}  // namespace fensi::daemon
