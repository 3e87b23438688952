// What the rules of a lint say about one index, at the place in its file.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/definition/definition.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// Reports errors, and warnings that the index does not `allow:`. Borrows everything.
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

}  // namespace fensi::mapping
