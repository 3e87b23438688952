// Reads the keys of an index in a mapping file.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mapping/changelog_spec.h"
#include "mapping/create_spec.h"
#include "mapping/definition/definition.h"
#include "mapping/definition/names.h"
#include "mapping/yaml/node.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// Reads `ignore_warnings:`. Null: none. Reports codes that are no warnings.
std::set<std::string> ReadAllow(const Node* node, Reporter* reporter);

// Reads `changelog:`.

/// Null: none. `columns` of the index become the fields of its messages.
std::optional<ChangelogSpec> ReadChangelog(const Node* node, const std::string& index,
                                           const std::vector<ColumnRule>& columns, Reporter* reporter);

// Reads `create:`.

/// `node` may be null (no `create:`); `written` are the families of the columns, each with the place that names it.
CreateSpec ReadCreate(const Node* node, const std::vector<std::pair<std::string, Place>>& written, Reporter* reporter);

// `each:` of an index.

/// Reads `each:`; must come before any template of the index is compiled. Null: no `each:`.
Each ReadEach(const Node* node, TemplateCompiler* compiler, Reporter* reporter);

// Reads one entry under `indexes:`.

/// Absent if something was reported.
std::optional<IndexDefinition> ReadIndex(const Node::Field& field, const std::string& source_table,
                                         const std::string& topic, const Outside& outside, NameRegistry* names,
                                         Reporter* reporter);

// Reads `when:`.

/// Null: no conditions.
std::vector<Condition> ReadConditions(const Node* node, TemplateCompiler* compiler, Reporter* reporter);

}  // namespace fensi::mapping
