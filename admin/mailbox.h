// Work for the server's thread from any other, which may come when the server has gone: then it is forgotten.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "base/mutex.h"

namespace fensi::admin {

/// Thread-safe; never blocks for long.
class Mailbox {
 public:
  explicit Mailbox(boost::asio::io_context* io) : io_(io) {}

  template <typename Work>
  void Post(Work work) {
    const MutexLock lock(mu_);
    if (io_ != nullptr) boost::asio::post(*io_, std::move(work));
  }
  /// Before its server goes.
  void Close() {
    const MutexLock lock(mu_);
    io_ = nullptr;
  }

 private:
  Mutex mu_;
  boost::asio::io_context* io_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::admin
