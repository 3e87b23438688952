#include "mapping/definition/checks.h"

#include <algorithm>

#include "mapping/definition/analysis.h"

namespace fensi::mapping {
namespace {

bool NeedsColumn(const Template& program) {
  return std::any_of(program.parts.begin(), program.parts.end(), [](const Part& part) {
    return !part.defaulted && AnyReference(part, [](const Reference& reference) { return reference.IsColumn(); });
  });
}

// It cannot hold for a row without any column.
bool ConditionNeedsColumn(const Condition& condition) {
  const auto needs = [](const Test& test) {
    return test.comparison != Comparison::kAbsent && (NeedsColumn(test.left) || NeedsColumn(test.right));
  };
  return std::all_of(condition.alternatives.begin(), condition.alternatives.end(),
                     [&](const std::vector<Test>& tests) { return std::any_of(tests.begin(), tests.end(), needs); });
}

bool KeyNeedsColumn(const IndexDefinition& definition) {
  if (definition.each.fanout != Fanout::kNone || definition.exists || NeedsColumn(definition.row)) return true;
  if (definition.table_template && NeedsColumn(*definition.table_template)) return true;
  return std::any_of(definition.when.begin(), definition.when.end(), ConditionNeedsColumn);
}

Place PlaceOf(const Node::Field& field, std::string_view key) {
  const Node* node = field.value.Find(key);
  return node != nullptr ? node->place : field.key.place;
}

void CheckExistence(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter) {
  if (KeyNeedsColumn(definition)) return;
  const bool every = std::all_of(definition.columns.begin(), definition.columns.end(), [](const ColumnRule& column) {
    return NeedsColumn(column.qualifier) || NeedsColumn(column.value);
  });
  if (every) return;
  reporter->Report(
      Code::kNoExistence, PlaceOf(field, "columns"), "no column of the source decides whether this entry exists",
      {"name a column of the source, such as 'requires: f1:from', or use a column in a value without 'default'"});
}

bool IsRow(const Part& part) { return !part.IsLiteral() && part.reference->kind == Reference::Kind::kRow; }

bool NamesRow(const Template& program) { return std::any_of(program.parts.begin(), program.parts.end(), IsRow); }

// The source row stands in it, and nobody can say where it begins or ends.
bool HidesRow(const Template& program) {
  for (size_t i = 0; i < program.parts.size(); ++i) {
    if (IsRow(program.parts[i]) && !IsReadable(program, i)) return true;
  }
  return false;
}

// Why the source row is not known from a cell, and what to do about it.
std::pair<std::string, std::string> UnknownRow(const IndexDefinition& definition) {
  std::vector<const Template*> templates = {&definition.row};
  for (const ColumnRule& column : definition.columns) templates.push_back(&column.qualifier);
  for (const Template* program : templates) {
    if (!HidesRow(*program)) continue;
    return {"{row} is in '" + program->text +
                "', but nothing shows where the other parts end: 'a' and 'b|c' give the same bytes as 'a|b' and 'c'",
            "end each other part with '| terminated' or '| fixed n', or use '| without' with the byte that follows the "
            "part"};
  }
  if (const auto columns = ColumnsThatMeet(definition, Origin::kRow)) {
    return {
        "the columns " + QuotedColumn(*columns->first) + " and " + QuotedColumn(*columns->second) + " can be one cell",
        "let their qualifiers begin or end with different bytes, like 'f1:a{row}' and 'f1:b{row}', or let both begin "
        "with '{row | terminated}'"};
  }
  const int bits = KnownBits(definition, Origin::kRow);
  if (bits > 0) {
    return {"only " + std::to_string(bits) +
                " bits of a hash of the source row are in the cell, and at least 64 bits are needed",
            "add {row} to the qualifier, like 'f1:{row}', or take more of the hash"};
  }
  const bool everywhere =
      std::all_of(templates.begin() + 1, templates.end(), [](const Template* t) { return NamesRow(*t); });
  if (NamesRow(definition.row) || everywhere) {
    return {"the functions after {row} can give the same bytes for both rows",
            "add {row} without functions to the qualifier, like 'f1:{row}'"};
  }
  return {"{row} is neither in the row key nor in every qualifier",
          "add {row} to the qualifier, like 'f1:{row}', or to the row key"};
}

void CheckRows(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter) {
  if (definition.shared || definition.unique || KnownBits(definition, Origin::kRow) >= kEnoughBits) return;
  const auto [reason, remedy] = UnknownRow(definition);
  reporter->Report(Code::kRowsCollide, PlaceOf(field, "row"), "two source rows can give the same index cell: " + reason,
                   {remedy,
                    "or write 'unique: true' if your data never has two source rows for one cell, or 'shared: true' if "
                    "the newest source row may win"});
}

bool FillsAbsence(const Template& program) {
  return std::any_of(program.parts.begin(), program.parts.end(), [](const Part& part) { return part.defaulted; });
}

bool HoldsByAbsence(const Condition& condition) {
  const auto absent = [](const Test& test) {
    return test.comparison == Comparison::kAbsent || FillsAbsence(test.left) || FillsAbsence(test.right);
  };
  return condition.alternatives.size() > 1 ||
         std::any_of(condition.alternatives.begin(), condition.alternatives.end(),
                     [&](const std::vector<Test>& tests) { return std::any_of(tests.begin(), tests.end(), absent); });
}

/// Can the end of a cell bring an entry, or another value of one?
bool LeavesAnother(const IndexDefinition& definition) {
  return BoundColumnsCompete(definition) || FillsAbsence(definition.row) ||
         (definition.table_template && FillsAbsence(*definition.table_template)) ||
         (definition.each.list && FillsAbsence(*definition.each.list)) ||
         std::any_of(definition.when.begin(), definition.when.end(), HoldsByAbsence) ||
         std::any_of(definition.columns.begin(), definition.columns.end(), [](const ColumnRule& column) {
           return FillsAbsence(column.qualifier) || FillsAbsence(column.value);
         });
}

void CheckExpiry(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter) {
  if (!definition.expire_exactly) return;
  for (const FamilySpec& family : definition.create.families) {
    if (family.ttl_seconds) continue;
    reporter->Report(
        Code::kExpireNeedsTtl, PlaceOf(field, "expire"),
        "'expire: exact' needs the TTL of the family '" + family.name + "'",
        {"write the TTL of the source's columns, such as create: { families: { " + family.name + ": { ttl: 30d } } }"});
  }
  for (const FamilySpec& family : definition.create.families) {
    if (family.min_versions.value_or(0) == 0) continue;
    reporter->Report(
        Code::kExpireMinVersions, PlaceOf(field, "expire"),
        "'expire: exact' is not possible with 'min_versions' of the family '" + family.name +
            "'. HBase keeps the newest versions of a source cell after its TTL, but the entry would expire",
        {"leave 'min_versions' out, if the source's columns have no MIN_VERSIONS",
         "or remove 'expire: exact': an entry then stays as long as the newest versions of its source cells"});
  }
  if (LeavesAnother(definition)) {
    reporter->Report(Code::kExpireLeavesAnother, PlaceOf(field, "expire"),
                     "'expire: exact' is not possible here: after the end of a source cell, another entry would have "
                     "to replace the old entry, and HBase does not report this end",
                     {"remove 'default', and remove 'not {column}' and 'or' from conditions. With 'each:', put "
                      "{qualifier} into the row key or the qualifier of the index",
                      "or remove 'expire: exact': an entry then lives as long as the newest of its cells"});
  } else if (const auto [reason, remedy] = ObstacleOfExactEnds(definition); !reason.empty()) {
    reporter->Report(Code::kExpireLeavesAnother, PlaceOf(field, "expire"),
                     "'expire: exact' is not possible here: " + reason,
                     {remedy, "or remove 'expire: exact': an entry then lives as long as the newest of its cells"});
  }
}

/// HBase counts versions of a cell, and of a shared cell each source row has one.
void CheckSharedExpiry(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter) {
  if (!definition.shared) return;
  for (const FamilySpec& family : definition.create.families) {
    if (!family.ttl_seconds || family.min_versions.value_or(0) == 0) continue;
    reporter->Report(Code::kSharedMinVersions, PlaceOf(field, "shared"),
                     "'shared: true' is not possible with 'ttl' and 'min_versions' of the family '" + family.name +
                         "': after the TTL, HBase would keep only the newest versions of a cell, and drop the versions "
                         "of other source rows that still give the cell",
                     {"leave 'min_versions' out, if the source's columns have no MIN_VERSIONS",
                      "or leave 'ttl' and 'min_versions' out: no entry then expires by itself",
                      "or leave 'shared' out, with {row} in the row key or in each qualifier"});
  }
}

void CheckScheme(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter) {
  if (definition.scheme != Scheme::kStateless) return;
  const std::string obstacle = MirrorObstacle(definition);
  if (obstacle.empty()) return;
  reporter->Report(Code::kNotStateless, PlaceOf(field, "mode"), "'mode: stateless' is not possible: " + obstacle,
                   {"remove 'mode: stateless'. The index is then stateful, with a state for each source row"});
}

void CheckChangelog(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter) {
  if (!definition.changelog) return;
  const auto [reason, remedy] = ChangelogObstacle(definition);
  if (reason.empty()) return;
  reporter->Report(Code::kNoChangelog, PlaceOf(field, "changelog"), "'changelog' is not possible: " + reason,
                   {remedy, "or remove 'changelog'"});
}

}  // namespace

void CheckMeaning(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter) {
  CheckExistence(definition, field, reporter);
  CheckRows(definition, field, reporter);
  CheckExpiry(definition, field, reporter);
  CheckSharedExpiry(definition, field, reporter);
  CheckScheme(definition, field, reporter);
  CheckChangelog(definition, field, reporter);
}

}  // namespace fensi::mapping
