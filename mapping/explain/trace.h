// Evaluates a template step by step, for explanations. Slow: not for the daemon.
#pragma once

#include <string>

#include "mapping/template/program.h"

namespace fensi::mapping {

/// "f1:from = \"b\" | md5 = \"\x92…\" | hex = \"92eb…\" | first 4 = \"92eb\"", or up to where it ends as absent or
/// unmappable.
std::string TracePart(const Part& part, const Inputs& inputs);

/// The result of a whole template: a quoted text, "absent", or "unmappable: why".
std::string TraceResult(const Template& program, const Inputs& inputs);

}  // namespace fensi::mapping
