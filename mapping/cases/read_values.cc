#include "mapping/cases/read_values.h"

#include "base/bytes.h"
#include "mapping/definition/names.h"
#include "mapping/functions/proto_schemas.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {

std::string ReadBytes(const Node& node, const std::string& what, Reporter* reporter) {
  if (!IsKind(node, Node::Kind::kText, what, reporter)) return "";
  Result<std::string> bytes = Unescape(node.text);
  if (bytes.ok()) return std::move(*bytes);
  reporter->Report(Code::kTemplateSyntax, node.place, bytes.status().message());
  return "";
}

std::string ReadValue(const Node& node, const Outside& outside, Reporter* reporter) {
  if (node.kind != Node::Kind::kMap) return ReadBytes(node, "the value", reporter);
  const Fields fields(node, "a message as a value", {"proto", "text"}, reporter);
  const Node* name = fields.Require("proto");
  const Node* text = fields.Require("text");
  if (name == nullptr || text == nullptr || !fields.Text("proto") || !fields.Text("text")) return "";
  const auto* message = outside.schemas == nullptr ? nullptr : outside.schemas->Find(name->text);
  if (message == nullptr) {
    reporter->Report(Code::kBadProto, name->place,
                     "there is no message '" + name->text + "' in the files under 'protos:'");
    return "";
  }
  Result<std::string> bytes = outside.schemas->FromText(message, text->text);
  if (bytes.ok()) return std::move(*bytes);
  reporter->Report(Code::kBadProto, text->place, "not a " + name->text + ": " + bytes.status().message(),
                   {"protobuf's text format: 'visitor { requests: 5 type: HTTP }'"});
  return "";
}

std::optional<Column> ReadColumn(const Node& node, Reporter* reporter) {
  const std::string text = ReadBytes(node, "a column", reporter);
  const ColumnName name = SplitColumn(text);
  if (name.has_qualifier && IsFamilyName(name.family))
    return Column{std::string(name.family), std::string(name.qualifier)};
  reporter->Report(Code::kBadColumn, node.place, "'" + node.text + "' is not a column", {"write family:qualifier"});
  return std::nullopt;
}

}  // namespace fensi::mapping
