// Work on a thread that nobody waits for: what may stay without an answer of others for any time.
#pragma once

#include <exception>
#include <future>
#include <optional>
#include <thread>
#include <type_traits>
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

/// Its result, when it is there; absent where no thread can be had. Does not block.
template <typename Work>
[[nodiscard]] std::optional<std::future<std::invoke_result_t<Work>>> FutureOf(Work work) {
  std::packaged_task<std::invoke_result_t<Work>()> task(std::move(work));
  std::future<std::invoke_result_t<Work>> result = task.get_future();
  if (!StartUnattended(std::move(task))) return std::nullopt;
  return result;
}

}  // namespace fensi
