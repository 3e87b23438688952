// Templates out of the whole function table, right by their types, for property tests.
#pragma once

#include <string>
#include <vector>

namespace fensi::mapping {

/// One part "{REFERENCE | step | …}" that ends as bytes. Calls rapidcheck: only inside of a property.
std::string RandomPart(const std::string& reference, bool reference_is_time = false);

/// A template of one to three parts of these references (column values, or `row`), with or without literals between.
std::string RandomTemplate(const std::vector<std::string>& references);

/// A value that many functions can do something with: digits, four or eight bytes, a date, words and separators, zeros.
std::string RandomValue();

}  // namespace fensi::mapping
