// A forecast as text for people, and as JSON. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "operations/forecast/comparison.h"
#include "operations/forecast/forecast.h"

namespace fensi::operations {

/// Several lines with their ends.
std::string ForecastText(const Forecast& forecast);
/// One object in a line.
std::string ForecastJson(const Forecast& forecast);

std::string ComparisonText(const Forecast& forecast, const std::vector<Compared>& compared);
std::string ComparisonJson(const Forecast& forecast, const std::vector<Compared>& compared);

}  // namespace fensi::operations
