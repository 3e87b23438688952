// Encodes a unit of state as the bytes of its cells in the state table (proto/state.proto). Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "indexer/state/unit.h"

namespace fensi::indexer {

/// Format that this program writes into a state table.
constexpr int64_t kStateFormat = 2;

/// Decoding fails with kConfiguration on a format that this version does not read, and with kInternal on bytes that
/// fensi did not write. A unit is decoded without its name and version, which its cell has; the caller gives the name.
/// Format 1 had no markers of a column unit's own.
std::string EncodeUnit(const Unit& unit, bool with_families);
/// EncodeUnit with families, plus what the last source read left open.
std::string EncodeWhole(const Unit& unit);
/// Appends to `bytes`.
void EncodeUnit(const Unit& unit, bool with_families, std::string* bytes);
Status DecodeUnit(std::string_view bytes, Unit* unit);
std::string EncodeFamilies(const FamilyStates& families);
void EncodeFamilies(const FamilyStates& families, std::string* bytes);
Status DecodeFamilies(std::string_view bytes, FamilyStates* families);
std::string EncodeDoubt(const Doubt& doubt);
Status DecodeDoubt(std::string_view bytes, Doubt* doubt);

}  // namespace fensi::indexer
