// Hands a step to the server's thread that must not be lost.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <new>
#include <thread>

namespace fensi::capture {

/// Any thread. Where there is no memory it is waited for: without this step a call would stay without its answer, or
/// its room would never be given back.
template <typename MakeStep>
void PostSurely(boost::asio::io_context& io, const MakeStep& make_step) noexcept {
  constexpr std::chrono::milliseconds kPause{10};
  while (true) {
    try {
      return boost::asio::post(io, make_step());
    } catch (const std::bad_alloc&) {
      std::this_thread::sleep_for(kPause);
    }
  }
}

}  // namespace fensi::capture
