// Thrown by what brings a connection about, when it cannot or may not be: with the code that the person has to get.
#pragma once

#include <stdexcept>
#include <utility>

#include "base/status.h"

namespace fensi::store {

class ConnectionRefused final : public std::runtime_error {
 public:
  explicit ConnectionRefused(Status status) : std::runtime_error(status.message()), status_(std::move(status)) {}
  const Status& status() const { return status_; }

 private:
  Status status_;
};

}  // namespace fensi::store
