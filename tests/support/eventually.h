// Waits for a condition that another thread or process brings about.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace fensi {

/// Asks every 5 ms until `condition` holds or `ceiling` has passed, which is long enough for a machine under load.
/// Returns whether it held.
inline bool Eventually(const std::function<bool()>& condition,
                       std::chrono::milliseconds ceiling = std::chrono::seconds(90)) {
  const auto deadline = std::chrono::steady_clock::now() + ceiling;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace fensi
