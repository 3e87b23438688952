#include <array>
#include <utility>

#include "mapping/definition/checks.h"
#include "mapping/definition/readers.h"
#include "mapping/source_row.h"
#include "mapping/template/program.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

class IndexReader {
 public:
  IndexReader(const Node::Field& field, const Outside& outside, NameRegistry* names, Reporter* reporter)
      : field_(field),
        fields_(field.value, "index '" + field.key.text + "'",
                {"table", "row", "columns", "each", "when", "requires", "shared", "unique", "expire", "mode", "create",
                 "state_table", "group", "dead_letters", "retention", "changelog", "ignore_warnings"},
                reporter, &field.key.place),
        names_(names),
        reporter_(reporter),
        compiler_(reporter, outside) {}

  IndexDefinition Read(const std::string& source_table, const std::string& topic) {
    definition_.name = field_.key.text;
    definition_.source_table = source_table;
    definition_.topic = topic;
    if (field_.value.kind != Node::Kind::kMap) return std::move(definition_);
    ReadNames();
    ReadOptions();
    definition_.each = ReadEach(fields_.Find("each"), &compiler_, reporter_);
    ReadPeriodTable();
    ReadRow();
    ReadColumns();
    definition_.when = ReadConditions(fields_.Find("when"), &compiler_, reporter_);
    if (const Node* exists = fields_.Find("requires")) {
      if (const std::optional<Reference> column = compiler_.CompileColumn(*exists)) definition_.exists = column->slot;
    }
    definition_.slots = compiler_.slots();
    definition_.create = ReadCreate(fields_.Find("create"), families_, reporter_);
    ReadChangelogTopic();
    return std::move(definition_);
  }

 private:
  void ReadNames() {
    const std::string& name = definition_.name;
    if (!IsIndexName(name)) {
      reporter_->Report(Code::kBadName, field_.key.place, "'" + name + "' is not a legal name of an index",
                        {"use at most 100 letters, digits, '_', '-' and '.', and begin with a letter, a digit or '_'"});
    }
    // Names derived from it would belong to another index, too: one mistake, one message.
    if (!names_->Claim("index name", name, "another index", field_.key.place, reporter_)) return;
    definition_.table = CanonicalTableName(NameOf("table", "", IsTableName));
    definition_.state_table = CanonicalTableName(
        NameOf("state_table", NamespaceOfTable() + name + std::string(kStateTableSuffix), IsTableName));
    definition_.group = NameOf("group", "fensi-" + name, IsTopicName);
    definition_.dead_letter_topic = NameOf("dead_letters", name + ".dead", IsTopicName);
    ClaimTable("table", definition_.table);
    ClaimTable("state_table", definition_.state_table);
    names_->Claim("group", definition_.group, "index '" + name + "'", PlaceOf("group"), reporter_);
    names_->UseTopic(definition_.dead_letter_topic, "dead letters", PlaceOf("dead_letters"), reporter_);
    names_->UseTopic(name + ".requests", "requests", field_.key.place, reporter_);
  }

  /// Of the index table, with its colon: who may write there may keep its states there. Empty: the default one.
  std::string NamespaceOfTable() const {
    const Node* node = fields_.Find("table");
    const std::string text = node == nullptr ? "" : node->text.substr(0, node->text.find('{'));
    const std::string name = text.substr(0, text.find(':') + 1);
    return IsTableName(name + "x") ? name : "";
  }

  std::string NameOf(std::string_view key, std::string otherwise, bool (*legal)(std::string_view)) {
    if (otherwise.empty() && fields_.Require(key) == nullptr) return "";
    const Node* node = fields_.Text(key);
    if (node == nullptr) return otherwise;
    if (key == "table" && node->text.find('{') != std::string::npos) return "";  // ReadPeriodTable
    if (!legal(node->text)) {
      reporter_->Report(Code::kBadName, node->place,
                        "'" + node->text + "' is not a legal name for '" + std::string(key) + "'", NameHints(key));
    }
    return node->text;
  }

  Place PlaceOf(std::string_view key) const {
    const Node* node = fields_.Find(key);
    return node != nullptr ? node->place : field_.key.place;
  }

  void ClaimTable(std::string_view key, const std::string& table) {
    if (table.empty()) return;
    const TableUse use = key == "state_table" ? TableUse::kState : TableUse::kIndex;
    if (table == definition_.source_table) {
      reporter_->Report(Code::kDuplicateName, PlaceOf(key),
                        "the table '" + table + "' is also the source table of the index",
                        {"give the index a table of its own"});
    } else {
      names_->ClaimTable(table, use, definition_.name, PlaceOf(key), reporter_);
    }
  }

  void ReadOptions() {
    definition_.allow = ReadAllow(fields_.Find("ignore_warnings"), reporter_);
    static constexpr std::array<std::string_view, 1> kExpires{"exact"};
    definition_.shared = fields_.Flag("shared");
    definition_.unique = fields_.Flag("unique");
    if (definition_.shared && definition_.unique) {
      reporter_->Report(Code::kSharedAndUnique, PlaceOf("unique"), "'shared' and 'unique' exclude each other",
                        {"leave one of the two out: 'shared' if several source rows write one cell, 'unique' if never "
                         "more than one does"});
    }
    definition_.expire_exactly = fields_.Choice("expire", kExpires).has_value();
    static constexpr std::array<std::string_view, 2> kModes{"stateful", "stateless"};
    if (fields_.Choice("mode", kModes) == size_t{1}) definition_.scheme = Scheme::kStateless;
  }

  // A table's name that is a template, and how long its tables may be wanted.
  void ReadPeriodTable() {
    definition_.keep_seconds = fields_.Duration("retention");
    const Node* table = fields_.Find("table");
    const bool period =
        table != nullptr && table->kind == Node::Kind::kText && table->text.find('{') != std::string::npos;
    if (!period) {
      if (fields_.Find("retention") == nullptr) return;
      return ReportPeriod("retention",
                          "only period tables have 'retention', and this 'table:' has no time in its name: remove "
                          "'retention', or add a time");
    }
    if (fields_.Find("retention") == nullptr) {
      ReportPeriod("table", "a period table needs 'retention', so that bad data cannot make tables without end");
    }
    std::optional<Template> compiled = compiler_.Compile(*table);
    if (!compiled) return;
    const Part& first = compiled->parts[0];
    if (!first.IsLiteral() || !IsTableName(first.literal + "x")) {
      return ReportPeriod("table",
                          "the name of a period table must begin with plain text that is legal in the name of a table");
    }
    if (CanonicalTableName(first.literal) != first.literal) {
      return ReportPeriod("table",
                          "the name of a period table may not have the namespace 'default': remove 'default:'");
    }
    definition_.table = first.literal;
    if (!TakePeriod(*compiled))
      return ReportPeriod("table", "this table name is a template, but no part of it uses the function 'time'");
    definition_.table_template = std::move(compiled);
    ClaimTable("table", definition_.table);
  }

  bool TakePeriod(const Template& table) {
    for (const Part& part : table.parts) {
      for (size_t i = part.steps.size(); i-- > 0;) {
        if (FormatOf(part.steps[i]) == nullptr) continue;
        definition_.period = part;
        definition_.period.steps.resize(i);
        return true;
      }
    }
    return false;
  }

  void ReportPeriod(std::string_view key, std::string message) {
    reporter_->Report(
        Code::kBadPeriod, PlaceOf(key), std::move(message),
        {"write, for example, table: 'visits_{v:time | int | from_ms | time %Y%m%d}' and retention: 30d"});
  }

  void ReadRow() {
    const Node* row = fields_.Require("row");
    if (row == nullptr) return;
    std::optional<Template> compiled = compiler_.Compile(*row);
    if (!compiled) return;
    if (row->text.empty()) reporter_->Report(Code::kEmpty, row->place, "the row key may not be empty");
    definition_.row = std::move(*compiled);
  }

  void ReadColumns() {
    const Node* columns = fields_.Require("columns");
    if (columns == nullptr || !IsKind(*columns, Node::Kind::kMap, "'columns'", reporter_)) return;
    if (columns->fields.empty()) {
      reporter_->Report(Code::kEmpty, columns->place, "an index needs at least one column",
                        {"add a column, such as 'f1:{row}': ''"});
    }
    if (!IsBounded(*columns, 1000, "'columns'", reporter_)) return;
    for (const Node::Field& column : columns->fields) ReadColumn(column);
  }

  void ReadColumn(const Node::Field& column) {
    const std::string& text = column.key.text;
    const size_t colon = text.find(':');
    if (colon == std::string::npos || !IsFamilyName(text.substr(0, colon)) || text.find('{') < colon) {
      reporter_->Report(Code::kBadColumn, column.key.place, "'" + text + "' is not a column of the index table",
                        {"write a family without braces, then ':' and a template, such as 'f1:{row}'"});
      return;
    }
    std::optional<Template> qualifier = compiler_.Compile(column.key, colon + 1);
    Node value_node = column.value;
    if (value_node.kind == Node::Kind::kNothing) {
      reporter_->Report(Code::kWrongKind, column.key.place, "this column has no value",
                        {"write the value after the column, or '' for the empty value"});
      return;
    }
    std::optional<Template> value = compiler_.Compile(column.value);
    families_.emplace_back(text.substr(0, colon), column.key.place);
    if (!qualifier || !value) return;
    ColumnRule rule{text.substr(0, colon), std::move(*qualifier), std::move(*value)};
    for (size_t i = 0; i < definition_.columns.size(); ++i) {
      const ColumnRule& other = definition_.columns[i];
      if (other.family != rule.family || other.qualifier.text != rule.qualifier.text) continue;
      reporter_->Report(Code::kDuplicateColumn, column.key.place,
                        "this column is the same cell as the column in line " + std::to_string(column_lines_[i]),
                        {"remove one of the two columns"});
    }
    definition_.columns.push_back(std::move(rule));
    column_lines_.push_back(column.key.place.line);
  }

  void ReadChangelogTopic() {
    const Node* node = fields_.Find("changelog");
    definition_.changelog = ReadChangelog(node, definition_.name, definition_.columns, reporter_);
    if (!definition_.changelog) return;
    const std::string& topic = definition_.changelog->topic;
    const Node* named = node->Find("topic");
    const Place& place = named != nullptr ? named->place : node->place;
    names_->UseTopic(topic, "a changelog", place, reporter_);
    names_->Claim("changelog topic", topic, "index '" + definition_.name + "'", place, reporter_);
  }

  const Node::Field& field_;
  const Fields fields_;
  NameRegistry* const names_;
  Reporter* const reporter_;
  TemplateCompiler compiler_;
  std::vector<std::pair<std::string, Place>> families_;
  IndexDefinition definition_;
  std::vector<int> column_lines_;  // of definition_.columns
};

}  // namespace

std::optional<IndexDefinition> ReadIndex(const Node::Field& field, const std::string& source_table,
                                         const std::string& topic, const Outside& outside, NameRegistry* names,
                                         Reporter* reporter) {
  const size_t errors = reporter->errors();
  IndexDefinition definition = IndexReader(field, outside, names, reporter).Read(source_table, topic);
  if (reporter->errors() == errors) CheckMeaning(definition, field, reporter);
  if (reporter->errors() > errors) return std::nullopt;
  return definition;
}

}  // namespace fensi::mapping
