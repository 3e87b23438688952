// A definition as text in one form, and its fingerprint.
#pragma once

#include <string>
#include <string_view>

#include "mapping/definition/definition.h"

namespace fensi::mapping {

/// 32 hex digits of a text.
std::string Digest(std::string_view text);

/// The part of a definition that decides which entries exist, as text in one form: also what it names outside of its
/// file, the messages of `protos:` and versions of functions that have changed.
std::string Canonical(const IndexDefinition& definition);

}  // namespace fensi::mapping
