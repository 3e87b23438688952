// "Did you mean": the known name that is nearest to a mistyped one. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fensi::cli {

/// "; did you mean 'run'?", or empty when no known name is near.
std::string DidYouMean(std::string_view name, std::span<const std::string> known);

}  // namespace fensi::cli
