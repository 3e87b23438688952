// How many random histories a property is tried on, and one way to say that it failed.
#pragma once

#include <functional>
#include <string>

namespace fensi::testing {

/// FENSI_HISTORIES, or 200 for each rule and property (5,000 with FENSI_LONG); fewer where a sanitizer slows every
/// step.
int Histories();

/// A GoogleTest expectation: `property` says nothing Histories() times. What it says otherwise is shown with the
/// smallest input (random_history.h) that makes it speak.
void Holds(const std::string& name, const std::function<std::string()>& property);

}  // namespace fensi::testing
