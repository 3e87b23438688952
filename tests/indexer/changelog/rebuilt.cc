#include "tests/indexer/changelog/rebuilt.h"

#include <stdexcept>

namespace fensi::testing {
namespace {

using nlohmann::json;

std::optional<SourceModel::Value> At(const SourceModel::VisibleRow& cells, const std::string& qualifier) {
  const auto found = cells.find({"f", qualifier});
  return found == cells.end() ? std::nullopt : std::optional(found->second);
}

std::string FieldsText(const json& image) {
  std::string text;
  for (const auto& [name, value] : image.items()) {
    if (name == "row" || value.is_null()) continue;
    text += (text.empty() ? "" : " ") + name + "=" + value.get<std::string>();
  }
  return " {" + text + "}";
}

}  // namespace

std::vector<ReadMessage> ReadMessages(const std::vector<consumer::ChangelogMessage>& messages) {
  std::vector<ReadMessage> read;
  for (const consumer::ChangelogMessage& message : messages) {
    ReadMessage one{.row = json::parse(message.key).at("row").get<std::string>(), .tombstone = !message.value};
    if (message.value) {
      const json envelope = json::parse(*message.value);
      one.operation = envelope.at("op").get<std::string>();
      one.before = envelope.at("before");
      one.after = envelope.at("after");
      one.source = envelope.at("source");
      for (const json& image : {one.before, one.after}) {
        if (!image.is_null() && image.at("row") != one.row) throw std::runtime_error("another key: " + *message.value);
      }
    }
    read.push_back(std::move(one));
  }
  return read;
}

Entries Rebuilt(const std::vector<ReadMessage>& messages) {
  Entries entries;
  for (const ReadMessage& message : messages) {
    std::erase_if(entries, [&](const auto& entry) { return entry.first.first == message.row; });
    if (message.tombstone || message.after.is_null()) continue;
    for (const auto& [name, value] : message.after.items()) {
      if (name != "row" && !value.is_null()) entries[{message.row, name}] = value.get<std::string>();
    }
  }
  return entries;
}

std::string FaultOfForm(const std::vector<ReadMessage>& messages) {
  for (size_t i = 0; i < messages.size(); ++i) {
    const ReadMessage& message = messages[i];
    const bool behind_removal = i > 0 && messages[i - 1].operation == "d" && messages[i - 1].row == message.row;
    if (message.tombstone != behind_removal) return "a tombstone without a removal, or a removal without one";
    if (message.tombstone) continue;
    const bool created = message.operation == "c" || message.operation == "r";
    if (created != message.before.is_null()) return "before of " + message.operation + " " + message.row;
    if ((message.operation == "d") != message.after.is_null()) return "after of " + message.operation;
    if (!created && message.operation != "u" && message.operation != "d") return "op " + message.operation;
  }
  return !messages.empty() && messages.back().operation == "d" ? "no tombstone at the end" : "";
}

std::string ShortText(const std::vector<consumer::ChangelogMessage>& messages) {
  std::string text;
  for (const ReadMessage& message : ReadMessages(messages)) {
    text += (text.empty() ? "" : "; ") + (message.tombstone ? "-" : message.operation) + " " + message.row;
    for (const json& image : {message.before, message.after}) {
      if (!image.is_null()) text += FieldsText(image);
    }
  }
  return text;
}

Rule CopyRule() {
  return {"copy", "    row: '{row}'\n    columns: { 'f:k': '{f:k}', 'f:v': '{f:v}' }\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            for (const char* column : {"k", "v"}) {
              if (const auto value = At(cells, column)) (*out)[{row, std::string("f:") + column}] = value->value;
            }
          }};
}

std::vector<Rule> ChangelogRules() {
  const Rule moves{"moves", "    row: '{row | without .}.{f:k}'\n    columns: { 'f:x': '{f:v | default none}' }\n",
                   [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
                     const auto key = At(cells, "k"), value = At(cells, "v");
                     if (key) (*out)[{row + "." + key->value, "f:x"}] = value ? value->value : "none";
                   }};
  const Rule condition{"condition",
                       "    row: '{row}'\n    columns: { 'f:k': '{f:k}' }\n    when: ['{f:m | default b} != a']\n",
                       [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
                         const auto key = At(cells, "k"), state = At(cells, "m");
                         if (key && (!state || state->value != "a")) (*out)[{row, "f:k"}] = key->value;
                       }};
  return {CopyRule(), moves, condition};
}

}  // namespace fensi::testing
