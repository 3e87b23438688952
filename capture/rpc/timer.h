// A timer that does not reach into what follows.
//
// Asio's own cannot take back an expiry that is due already: its handler comes with success behind a cancel, and behind
// the next wait of the same timer. Here nothing comes any more once Start, Stop or the destructor was called.
//
// One thread (the server's).
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

namespace fensi::capture {

class Timer {
 public:
  explicit Timer(boost::asio::io_context& io) : timer_(io) {}
  ~Timer() { Stop(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  /// Calls `then` after that time, in place of whatever was to come. After bad_alloc nothing comes.
  template <typename Then>
  void Start(std::chrono::milliseconds after, Then then) {
    Stop();
    timer_.expires_after(after);
    timer_.async_wait(
        [current = wait_, mine = *wait_, then = std::move(then)](const boost::system::error_code&) mutable {
          if (*current == mine) then();
        });
  }
  void Stop() {
    ++*wait_;
    timer_.cancel();
  }

 private:
  boost::asio::steady_timer timer_;
  const std::shared_ptr<uint64_t> wait_ = std::make_shared<uint64_t>(0);  // outlives us in handlers that are due
};

}  // namespace fensi::capture
