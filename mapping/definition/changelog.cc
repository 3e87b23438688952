#include <algorithm>
#include <array>
#include <map>

#include "base/bytes.h"
#include "mapping/definition/checks.h"
#include "mapping/definition/names.h"
#include "mapping/definition/readers.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

std::string ConstantText(const Template& program) {
  std::string text;
  for (const Part& part : program.parts) text += part.literal;
  return text;
}

/// Gives each column of the index its field. A column whose qualifier is not plain text gets none: ChangelogObstacle.
void AddFields(const std::vector<ColumnRule>& columns, bool by_qualifier, const Place& place, ChangelogSpec* spec,
               Reporter* reporter) {
  std::map<std::string, std::string> taken = {{kChangelogRow, "the row key"}};
  for (const ColumnRule& column : columns) {
    if (!column.qualifier.IsConstant()) continue;
    ChangelogField field{column.family, ConstantText(column.qualifier), ""};
    field.name = by_qualifier ? Escape(field.qualifier) : ColumnText(field.family, field.qualifier);
    const std::string quoted = "the column " + QuotedColumn(column);
    const auto [other, fresh] = taken.try_emplace(field.name, quoted);
    if (!fresh || field.name.empty()) {
      reporter->Report(Code::kBadChangelog, place,
                       field.name.empty() ? quoted + " has an empty qualifier, which is no name of a field"
                                          : other->second + " and " + quoted + " would both be the field '" +
                                                field.name + "' of a message",
                       {"write 'names: column', so that each field has the name of its family, too"});
    }
    spec->fields.push_back(std::move(field));
  }
}

/// Marks the fields that `base64:` lists.
void TakeBase64(const Node& list, ChangelogSpec* spec, Reporter* reporter) {
  if (!IsKind(list, Node::Kind::kList, "'base64'", reporter) || !IsBounded(list, 1001, "'base64'", reporter)) return;
  for (const Node& item : list.items) {
    if (!IsKind(item, Node::Kind::kText, "a column in 'base64'", reporter)) continue;
    const auto is_it = [&item](const ChangelogField& field) {
      return ColumnText(field.family, field.qualifier) == item.text;
    };
    const auto found = std::find_if(spec->fields.begin(), spec->fields.end(), is_it);
    if (item.text == kChangelogRow) {
      spec->base64_row = true;
    } else if (found != spec->fields.end()) {
      found->base64 = true;
    } else {
      reporter->Report(Code::kBadChangelog, item.place,
                       "'" + item.text + "' in 'base64' is neither a column of this index nor 'row'",
                       {"write 'row', or a column under 'columns:', such as 'f1:photo'"});
    }
  }
}

}  // namespace

std::optional<ChangelogSpec> ReadChangelog(const Node* node, const std::string& index,
                                           const std::vector<ColumnRule>& columns, Reporter* reporter) {
  if (node == nullptr) return std::nullopt;
  ChangelogSpec spec{.topic = index + ".changelog"};
  const Fields fields(*node, "'changelog'", {"topic", "format", "schema", "names", "base64"}, reporter);
  if (node->kind != Node::Kind::kMap) return spec;
  if (const Node* topic = fields.Text("topic")) {
    spec.topic = topic->text;
    if (!IsTopicName(spec.topic)) {
      reporter->Report(Code::kBadName, topic->place, "'" + spec.topic + "' is not a legal name for 'topic'",
                       NameHints("topic"));
    }
  }
  static constexpr std::array<std::string_view, 1> kFormats{"debezium"};
  fields.Choice("format", kFormats);
  spec.schema = fields.Flag("schema");
  static constexpr std::array<std::string_view, 2> kNames{"column", "qualifier"};
  const Node* names = fields.Find("names");
  AddFields(columns, fields.Choice("names", kNames) == size_t{1}, names != nullptr ? names->place : node->place, &spec,
            reporter);
  if (const Node* encoded = fields.Find("base64")) TakeBase64(*encoded, &spec, reporter);
  return spec;
}

std::pair<std::string, std::string> ChangelogObstacle(const IndexDefinition& definition) {
  if (definition.scheme == Scheme::kStateless) {
    return {
        "the index is stateless, and fensi then does not know which cells of an index row are visible after a change",
        "remove 'mode: stateless'"};
  }
  if (definition.shared || definition.unique) {
    return {"several source rows can write one index row, so that its changes have no order",
            "remove 'shared' or 'unique', and put {row} into the row key"};
  }
  if (definition.table_template) {
    return {"a period table is dropped without a change of its rows", "name one table, without a time in its name"};
  }
  if (definition.each.fanout != Fanout::kNone) {
    return {"'each:' gives a source row several entries, and a message has one source row", "remove 'each'"};
  }
  for (const ColumnRule& column : definition.columns) {
    if (column.qualifier.IsConstant()) continue;
    return {"the qualifier of " + QuotedColumn(column) +
                " is not plain text, and each field of a message needs a fixed name",
            "write the qualifier without braces, such as 'f1:from'"};
  }
  // Here the row key alone identifies the source row: otherwise CheckRows refuses the index.
  if (definition.expire_exactly || definition.create.SomeFamilyExpires()) {
    return {"HBase drops expired cells without a change event, so that the topic would keep rows that have expired",
            "remove 'ttl' under 'create: families:', and 'expire'"};
  }
  return {};
}

}  // namespace fensi::mapping
