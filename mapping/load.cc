#include <utility>

#include "mapping/cases/read_cases.h"
#include "mapping/compiled_index.h"
#include "mapping/definition/names.h"
#include "mapping/definition/read_index.h"
#include "mapping/mapping.h"
#include "mapping/yaml/fields.h"
#include "mapping/yaml/parse.h"

namespace fensi::mapping {
namespace {

// The text under a top-level key if it is a legal name, otherwise (reported) an empty one.
std::string ReadName(const Fields& fields, std::string_view key, bool (*legal)(std::string_view), Reporter* reporter) {
  const Node* node = fields.Text(key);
  if (node == nullptr) return "";
  if (legal(node->text)) return node->text;
  reporter->Report(Code::kBadName, node->place,
                   "'" + node->text + "' is not a legal name for '" + std::string(key) + "'");
  return "";
}

void ReadIndexes(const Node& indexes, NameRegistry* names, Mapping* mapping, Reporter* reporter) {
  if (!IsKind(indexes, Node::Kind::kMap, "'indexes'", reporter)) return;
  if (indexes.fields.empty()) reporter->Report(Code::kEmpty, indexes.place, "'indexes' names no index");
  for (const Node::Field& field : indexes.fields) {
    std::optional<IndexDefinition> definition =
        ReadIndex(field, mapping->source_table, mapping->topic, names, reporter);
    if (definition) mapping->indexes.push_back(std::make_shared<CompiledIndex>(std::move(*definition)));
  }
}

std::optional<Mapping> LoadFile(const MappingText& file, NameRegistry* names, Diagnostics* diagnostics) {
  Reporter reporter(file, diagnostics);
  const std::optional<Node> root = ParseYaml(&reporter);
  if (!root) return std::nullopt;
  if (root->kind == Node::Kind::kNothing) {
    reporter.Report(Code::kEmpty, {1, 1, 1}, "the file is empty", {"it begins with 'source:' and 'indexes:'"});
    return std::nullopt;
  }
  const Fields fields(*root, "the mapping", {"source", "topic", "indexes", "tests", "protos"}, &reporter);
  if (root->kind != Node::Kind::kMap) return std::nullopt;
  Mapping mapping;
  mapping.path = file.path;
  if (fields.Require("source") != nullptr) mapping.source_table = ReadName(fields, "source", IsTableName, &reporter);
  mapping.topic = ReadName(fields, "topic", IsTopicName, &reporter);
  if (mapping.topic.empty()) mapping.topic = TopicOf(mapping.source_table);
  if (const Node* protos = fields.Find("protos")) {
    reporter.Report(Code::kNotSupportedYet, protos->place, "'protos' is not supported yet");
  }
  if (const Node* indexes = fields.Require("indexes")) ReadIndexes(*indexes, names, &mapping, &reporter);
  if (const Node* tests = fields.Find("tests")) mapping.tests = ReadCases(*tests, mapping, &reporter);
  if (reporter.errors() > 0) return std::nullopt;
  return mapping;
}

}  // namespace

std::vector<Mapping> Load(const std::vector<MappingText>& files, Diagnostics* diagnostics) {
  std::vector<Mapping> mappings;
  NameRegistry names;
  for (const MappingText& file : files) {
    std::optional<Mapping> mapping = LoadFile(file, &names, diagnostics);
    if (mapping) mappings.push_back(std::move(*mapping));
  }
  return mappings;
}

}  // namespace fensi::mapping
