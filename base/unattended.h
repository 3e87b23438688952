// Work on a thread that nobody waits for: what may stay without an answer of others for any time.
#pragma once

#include <exception>
#include <thread>
#include <utility>

namespace fensi {

/// False where no thread can be had; the work is destroyed then, undone. Does not block.
template <typename Work>
[[nodiscard]] bool StartUnattended(Work work) noexcept {
  try {
    std::thread(std::move(work)).detach();
    return true;
  } catch (const std::exception&) {  // std::system_error, std::bad_alloc
    return false;
  }
}

}  // namespace fensi
