#include "mapping/template/compile_text.h"

namespace fensi::mapping {

std::optional<Template> CompileText(const std::string& text, std::vector<Slot>* slots, const Outside& outside) {
  Diagnostics diagnostics;
  const MappingText file{"text", ""};
  Reporter reporter(file, &diagnostics);
  TemplateCompiler compiler(&reporter, outside);
  Node node;
  node.kind = Node::Kind::kText;
  node.quote = Quote::kSingle;
  node.text = text;
  std::optional<Template> compiled = compiler.CompileAnyType(node);
  *slots = compiler.slots();
  return compiled;
}

}  // namespace fensi::mapping
