// Row keys for readers: from the parts an application knows to the bytes they decide. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mapping/lookup/key_parts.h"

namespace fensi::mapping {

struct EncodedKey {
  /// For each part of the row template the bytes that the reader's parts decide; literals are always decided.
  std::vector<std::optional<std::string>> pieces;
  /// How keys begin; several where a salt is not known.
  std::vector<std::string> prefixes;
  /// The first part of the template that is not in the prefixes; its size: they are whole row keys.
  size_t open = 0;
};

/// `given`: values of the first of `parts`. kInvalidArgument: too many, or one that the part cannot hold.
Result<EncodedKey> EncodeParts(const Template& row, const std::vector<KeyPart>& parts,
                               std::span<const std::string> given);

}  // namespace fensi::mapping
