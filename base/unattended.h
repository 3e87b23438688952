// Runs work on a detached thread: for calls that may stay without an answer for any time.
#pragma once

#include <exception>
#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>

namespace fensi {

/// The message for work that got no thread: "to connect to HOST:PORT".
inline std::string NoThreadText(std::string_view purpose) {
  return "cannot start a thread " + std::string(purpose) +
         ": the limit of threads is reached. Raise it: ulimit -u, or TasksMax= of the systemd unit";
}

/// False if no thread can be started; then the work is destroyed, not run. Does not block.
template <typename Work>
[[nodiscard]] bool StartDetached(Work work) noexcept {
  try {
    std::thread(std::move(work)).detach();
    return true;
  } catch (const std::exception&) {  // std::system_error, std::bad_alloc
    return false;
  }
}

/// A future of its result; absent if no thread can be started. Does not block.
template <typename Work>
[[nodiscard]] std::optional<std::future<std::invoke_result_t<Work>>> RunDetached(Work work) {
  std::packaged_task<std::invoke_result_t<Work>()> task(std::move(work));
  std::future<std::invoke_result_t<Work>> result = task.get_future();
  if (!StartDetached(std::move(task))) return std::nullopt;
  return result;
}

}  // namespace fensi
