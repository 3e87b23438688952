// A text as a template, where nobody is told what is wrong with it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mapping/template/compile.h"

namespace fensi::mapping {

/// Its parts may be of any type. `slots`: the columns that it names. Nothing: it is no template. Pure.
std::optional<Template> CompileText(const std::string& text, std::vector<Slot>* slots, const Outside& outside = {});

}  // namespace fensi::mapping
