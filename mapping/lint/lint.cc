#include "mapping/lint/lint.h"

#include "mapping/lint/key_lint.h"
#include "mapping/lint/table_lint.h"

namespace fensi::mapping {

void Lint(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter) {
  Findings findings(definition, field, reporter);
  LintKey(&findings);
  LintTable(&findings);
}

}  // namespace fensi::mapping
