// What an experienced hand would say about an index that is otherwise right: rules of the field about keys, families
// and splits, as far as they can be seen in the file alone.
#pragma once

#include "mapping/definition/definition.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// Reports errors, and warnings that the index does not `allow:`.
void Lint(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter);

/// Reads `allow:`; codes that are no warnings are reported.
std::set<std::string> ReadAllow(const Node* node, Reporter* reporter);

/// Used by the two below: a finding about one index.
class Findings {
 public:
  Findings(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter)
      : definition_(definition), field_(field), reporter_(reporter) {}

  const IndexDefinition& definition() const { return definition_; }
  /// At a part of the row key.
  void AtPart(Code code, const Part& part, std::string message, std::vector<std::string> hints = {});
  /// At the value of one of these keys, the innermost that is there: {"create", "split"}.
  void At(Code code, std::initializer_list<std::string_view> path, std::string message,
          std::vector<std::string> hints = {});

 private:
  void Report(Code code, const Place& place, std::string message, std::vector<std::string> hints);

  const IndexDefinition& definition_;
  const Node::Field& field_;
  Reporter* const reporter_;
};

void LintKey(Findings* findings);
void LintTable(Findings* findings);

/// Leading parts of the form `… mod n …`, when something else follows them: a reader must try every remainder.
size_t SaltParts(const Template& row);
/// The step that takes the remainder.
std::optional<size_t> ModStep(const Part& part);

}  // namespace fensi::mapping
