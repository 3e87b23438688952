#include "mapping/mapping.h"

#include <algorithm>
#include <utility>

#include "mapping/cases/read_cases.h"
#include "mapping/definition/names.h"
#include "mapping/definition/readers.h"
#include "mapping/environment.h"
#include "mapping/functions/avro_schemas.h"
#include "mapping/functions/proto_schemas.h"
#include "mapping/functions/regex.h"
#include "mapping/lint/lint.h"
#include "mapping/lookup.h"
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
                   "'" + node->text + "' is not a legal name for '" + std::string(key) + "'", NameHints(key));
  return "";
}

// A file that the caller brings.
Result<std::string> ReadOutside(const Environment& environment, const std::string& path, const std::string& name) {
  if (environment.read_file) return environment.read_file(path, name);
  return Status(StatusCode::kNotFound,
                name + ": here a mapping file may not use other files. Remove 'protos:' and 'avros:'");
}

// The names of a list of files, or of one.
std::vector<Node> FilesOf(const Node& files, const std::string& key, Reporter* reporter) {
  std::vector<Node> names;
  if (!IsBounded(files, 100, "'" + key + "'", reporter)) return names;
  const std::vector<Node> one = {files};
  for (const Node& file : files.kind == Node::Kind::kList ? files.items : one) {
    if (IsKind(file, Node::Kind::kText, "a file of '" + key + "'", reporter)) names.push_back(file);
  }
  return names;
}

// Every problem is reported at the file's name.
std::shared_ptr<const ProtoSchemas> ReadProtos(const Node& protos, const std::string& path,
                                               const Environment& environment, Reporter* reporter) {
  auto schemas = std::make_shared<ProtoSchemas>();
  const auto read = [&](const std::string& name) { return ReadOutside(environment, path, name); };
  for (const Node& file : FilesOf(protos, "protos", reporter)) {
    const Result<std::string> bytes = read(file.text);
    const Status added =
        bytes.ok() ? schemas->Add(file.text, *bytes, read) : bytes.status().WithContext("cannot read the file");
    if (added.ok()) continue;
    reporter->Report(Code::kBadProto, file.place, added.message(),
                     {"correct the file, or remove its name from 'protos:' and from the imports of other files. Put "
                      ".proto files and descriptor sets into "
                      "the folder of the mapping file"});
  }
  return schemas;
}

std::shared_ptr<const AvroSchemas> ReadAvros(const Node& avros, const std::string& path, const Environment& environment,
                                             Reporter* reporter) {
  auto schemas = std::make_shared<AvroSchemas>();
  for (const Node& file : FilesOf(avros, "avros", reporter)) {
    const Result<std::string> text = ReadOutside(environment, path, file.text);
    const Status added = text.ok() ? schemas->Add(file.text, *text) : text.status().WithContext("cannot read the file");
    if (added.ok()) continue;
    reporter->Report(Code::kBadAvro, file.place, added.message(),
                     {"correct the file, or remove its name from 'avros:'. Put Avro schemas in JSON (.avsc) into the "
                      "folder of the mapping file, and list a file before the files that need it"});
  }
  return schemas;
}

/// A table that is no table of a period.
struct TakenTable {
  std::string name;
  std::string whose;
  Place place;  // in the file that is being read; of other files nowhere
};

/// Those of a mapping; its places are those of the fields with the names of its indexes, if there are any.
std::vector<TakenTable> TablesOf(const Mapping& mapping, const Node* indexes) {
  std::vector<TakenTable> tables = {{mapping.source_table, "the source table", indexes ? indexes->place : Place()}};
  for (const auto& index : mapping.indexes) {
    const std::string whose = "index '" + index->name() + "'";
    Place place;
    for (size_t i = 0; indexes != nullptr && i < indexes->fields.size(); ++i) {
      if (indexes->fields[i].key.text == index->name()) place = indexes->fields[i].key.place;
    }
    tables.push_back({index->state_table(), "the state table of " + whose, place});
    if (!index->table_is_template()) tables.push_back({index->table(), "the table of " + whose, place});
  }
  return tables;
}

/// A table of a period must be no other table of any file, nor fensi's own: entries would be written there, and whoever
/// drops the index would drop it.
class PeriodTablesApart {
 public:
  PeriodTablesApart(const Node& indexes, const Mapping& mapping, Reporter* reporter)
      : mapping_(mapping), own_(TablesOf(mapping, &indexes)), reporter_(reporter) {}

  void CheckBeside(const std::vector<Mapping>& earlier, const std::vector<std::string>& meta_tables) const {
    for (const auto& index : mapping_.indexes) {
      const Place place = PlaceOf(*index);
      for (const TakenTable& table : own_) Check(*index, table, place);
      for (const std::string& table : meta_tables) Check(*index, {table, "the meta table of fensi", {}}, place);
      for (const Mapping& other : earlier) {
        for (const TakenTable& table : TablesOf(other, nullptr)) Check(*index, table, place);
      }
    }
    for (const Mapping& other : earlier) {
      for (const auto& index : other.indexes) {
        for (const TakenTable& table : own_) Check(*index, table, table.place);
      }
    }
  }

 private:
  Place PlaceOf(const Index& index) const {
    const auto is_it = [&](const TakenTable& table) { return table.name == index.state_table(); };
    return std::find_if(own_.begin(), own_.end(), is_it)->place;
  }

  void Check(const Index& index, const TakenTable& table, const Place& place) const {
    if (!index.table_is_template() || !CouldBePeriodTable(index, table.name)) return;
    reporter_->Report(
        Code::kDuplicateName, place,
        "a table of index '" + index.name() + "' may be named '" + table.name + "', which is " + table.whose,
        {"begin the names of period tables with text that no other table begins with"});
  }

  const Mapping& mapping_;
  const std::vector<TakenTable> own_;
  Reporter* const reporter_;
};

void ReadIndexes(const Node& indexes, const Outside& outside, const std::vector<Mapping>& earlier, NameRegistry* names,
                 Mapping* mapping, Reporter* reporter) {
  if (!IsKind(indexes, Node::Kind::kMap, "'indexes'", reporter)) return;
  if (!IsBounded(indexes, 1000, "'indexes'", reporter)) return;
  if (indexes.fields.empty())
    reporter->Report(Code::kEmpty, indexes.place, "'indexes' names no index",
                     {"add an index: its name, and under it 'table:', 'row:' and 'columns:'"});
  for (const Node::Field& field : indexes.fields) {
    const size_t errors = reporter->errors();
    std::optional<IndexDefinition> definition =
        ReadIndex(field, mapping->source_table, mapping->topic, outside, names, reporter);
    if (definition) Lint(*definition, field, reporter);
    if (!definition || reporter->errors() > errors) continue;
    mapping->indexes.push_back(std::make_shared<const Index>(std::move(*definition)));
  }
  PeriodTablesApart(indexes, *mapping, reporter).CheckBeside(earlier, outside.environment->meta_tables);
}

void ClaimTopic(const Fields& fields, const std::string& topic, NameRegistry* names, Reporter* reporter) {
  const Node* named = fields.Find("topic");
  if (named == nullptr) named = fields.Find("source");
  if (named != nullptr) names->UseTopic(topic, "changes", named->place, reporter);
}

std::optional<Mapping> LoadFile(const MappingText& file, const Environment& environment,
                                const std::vector<Mapping>& earlier, NameRegistry* names, Diagnostics* diagnostics) {
  Reporter reporter(file, diagnostics);
  const std::optional<Node> root = ParseYaml(&reporter);
  if (!root) return std::nullopt;
  if (root->kind == Node::Kind::kNothing) {
    reporter.Report(Code::kEmpty, {1, 1, 1}, "the file is empty",
                    {"begin the file with 'source:' and 'indexes:', or print a first mapping file with 'fensi init "
                     "TABLE --store=STORE'"});
    return std::nullopt;
  }
  const Fields fields(*root, "the mapping", {"source", "topic", "indexes", "tests", "protos", "avros"}, &reporter);
  if (root->kind != Node::Kind::kMap) return std::nullopt;
  Mapping mapping;
  mapping.path = file.path;
  if (fields.Require("source") != nullptr) {
    mapping.source_table = CanonicalTableName(ReadName(fields, "source", IsTableName, &reporter));
    names->UseSource(mapping.source_table, fields.Find("source")->place, &reporter);
  }
  mapping.topic = ReadName(fields, "topic", IsTopicName, &reporter);
  if (mapping.topic.empty()) mapping.topic = TopicOfTable(mapping.source_table);
  if (!mapping.source_table.empty() && !IsTopicName(mapping.topic)) {
    reporter.Report(Code::kBadName, fields.Find("source")->place,
                    "the name of this table makes a topic of " + std::to_string(mapping.topic.size()) +
                        " bytes, and Kafka takes at most 249",
                    {"name a shorter topic for the changes of the table with 'topic:'"});
  }
  ClaimTopic(fields, mapping.topic, names, &reporter);
  Outside outside{&environment, nullptr, std::make_shared<RegexBudget>(), nullptr};
  if (const Node* protos = fields.Find("protos")) {
    outside.schemas = ReadProtos(*protos, file.path, environment, &reporter);
  }
  if (const Node* avros = fields.Find("avros")) outside.avros = ReadAvros(*avros, file.path, environment, &reporter);
  const Node* indexes = fields.Require("indexes");
  if (indexes != nullptr) ReadIndexes(*indexes, outside, earlier, names, &mapping, &reporter);
  if (const Node* tests = fields.Find("tests")) {
    mapping.tests = ReadCases(*tests, {mapping.source_table, mapping.indexes, indexes}, outside, &reporter);
  }
  if (reporter.errors() > 0) return std::nullopt;
  return mapping;
}

}  // namespace

std::vector<Mapping> Load(const std::vector<MappingText>& files, Diagnostics* diagnostics,
                          const Environment& environment) {
  std::vector<Mapping> mappings;
  NameRegistry names(environment.meta_tables);
  for (const MappingText& file : files) {
    std::optional<Mapping> mapping = LoadFile(file, environment, mappings, &names, diagnostics);
    if (mapping) mappings.push_back(std::move(*mapping));
  }
  return mappings;
}

}  // namespace fensi::mapping
