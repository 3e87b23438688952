// Any bytes as a mapping file: loaded, or refused with at least one error that can be shown.
#include <string>

#include "mapping/key_layout.h"
#include "mapping/lookup.h"
#include "mapping/mapping.h"
#include "tests/fuzz/bounds.h"

using fensi::Require;
using namespace fensi::mapping;

namespace {

// Everything a command may ask of an index that was loaded.
void Describe(const Index& index) {
  Require(index.fingerprint().size() == 32, "a fingerprint has 32 digits");
  Require(!index.definition().empty() && !index.name().empty(), "an index has a name and a definition");
  Require(!KeyLayout(index).empty(), "a key has a layout");
  (void)EncodeKey(index, {});
}

void CheckDiagnostics(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    Require(diagnostic.line >= 1 && diagnostic.column >= 1 && diagnostic.width >= 1, "a diagnostic has a place");
    Require(!diagnostic.message.empty() && !diagnostic.code.empty(), "a diagnostic says something");
  }
  (void)diagnostics.Text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > fensi::kMostFuzzBytes) return 0;
  const fensi::TimeBound bound;
  const MappingText file{"fuzz.yaml", std::string(reinterpret_cast<const char*>(data), size)};
  Diagnostics diagnostics;
  const std::vector<Mapping> mappings = Load({file}, &diagnostics);
  Require(mappings.empty() == (diagnostics.errors() > 0), "a file is loaded, or it has errors");
  CheckDiagnostics(diagnostics);
  for (const Mapping& mapping : mappings) {
    Require(!mapping.indexes.empty(), "a mapping has an index");
    for (const auto& index : mapping.indexes) Describe(*index);
  }
  return 0;
}
