// Lints a valid index: rules of the field about keys, families and splits, as far as the file alone shows.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/definition/definition.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

// Collects the findings of the rules about one index, at their positions in its file.

/// Reports errors, and warnings that the index does not `ignore_warnings:`. Borrows everything.
class Findings {
 public:
  Findings(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter)
      : definition_(definition), field_(field), reporter_(reporter) {}

  const IndexDefinition& definition() const { return definition_; }
  /// At a part of the row key.
  void AtPart(Code code, const Part& part, std::string message, std::vector<std::string> hints = {});
  /// At the value of the innermost existing one of these keys: {"create", "split"}.
  void At(Code code, std::initializer_list<std::string_view> path, std::string message,
          std::vector<std::string> hints = {});

 private:
  void Report(Code code, const Place& place, std::string message, std::vector<std::string> hints);

  const IndexDefinition& definition_;
  const Node::Field& field_;
  Reporter* const reporter_;
};

// Lints an index.

/// Reports errors, and warnings that the index does not `ignore_warnings:`.
void Lint(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter);

// Lint: rules about the row key.

void LintKey(Findings* findings);

// Lint: rules about families, splits and prefixes.

void LintTable(Findings* findings);

}  // namespace fensi::mapping
