// How large requests may be, so that each of them fits into its topic whatever names and values a row has.
//
// Apart from request.h: only those who make requests need it.
#pragma once

#include <cstddef>

namespace fensi::consumer {

/// What a request takes at most beside its cells, suspects and all columns but one: the row twice, which is the key,
/// too, names, and what Kafka adds.
inline constexpr size_t kRequestRoom = 100'000;
/// What surrounds a cell, a suspect or a column in a request, at most.
inline constexpr size_t kRequestPieceRoom = 64;
/// A topic of requests takes messages of so many bytes at least: one suspect fits then, whatever its names are.
inline constexpr size_t kLeastRequestBytes = 200'000;

}  // namespace fensi::consumer
