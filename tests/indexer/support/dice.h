// Random numbers of a history that one seed names: the same seed draws the same history.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>

namespace fensi::testing {

/// A random number from `from` up to and without `end`.
using Dice = std::function<int(int from, int end)>;

inline Dice DiceOf(uint64_t seed) {
  return [random = std::make_shared<std::mt19937_64>(seed)](int from, int end) {
    return std::uniform_int_distribution<int>(from, end - 1)(*random);
  };
}

inline bool Percent(const Dice& dice, int chance) { return dice(0, 100) < chance; }

template <typename List>
const auto& OneOf(const Dice& dice, const List& list) {
  return list[static_cast<size_t>(dice(0, static_cast<int>(std::size(list))))];
}

}  // namespace fensi::testing
