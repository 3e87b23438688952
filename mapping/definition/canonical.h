// A definition as text in one form, of which the fingerprint is made.
#pragma once

#include <string>

#include "mapping/definition/definition.h"

namespace fensi::mapping {

/// The part of a definition that decides which entries exist, as text in one form: also what it names outside of its
/// file, the messages of `protos:` and versions of functions that have changed.
std::string Canonical(const IndexDefinition& definition);

}  // namespace fensi::mapping
