// Outcome of an operation: a code, and a message for a person.
//
// Library code returns Status or Result<T> and never throws; exceptions of third parties are turned into a Status in
// the one file that includes the third party. A message names the coordinates (index, row, topic, partition, offset,
// file:line:col) and, where a person can act, what to do. Values are immutable after construction and may be shared.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/words.h"

namespace fensi {

enum class StatusCode {
  kOk,
  kInvalidArgument,  // the caller's input is wrong: a flag, an argument, an event
  kConfiguration,    // a mapping, table or topic is not what this index needs; a person must decide
  kNotFound,         // a table, topic or row that was named does not exist
  kAlreadyExists,    // what was to be created is there
  kUnavailable,      // a server cannot be reached or does not answer in time; the outcome may be unknown; retry
  kPermission,       // the server or the file system refuses us
  kRejected,         // the server will never take this row or call; do not retry
  kFenced,           // this process no longer owns the partition; drop the plan
  kCancelled,        // asked to stop
  kGap,              // the change stream has lost events this index has not seen
  kInternal,         // a broken promise inside fensi
};

/// Name as written in messages and JSON, for example "unavailable".
std::string_view StatusCodeName(StatusCode code);

/// Process exit code for an error of this kind (0, 64, 69, 70, 75, 77, 78; see docs/exit-codes.md).
int ExitCode(StatusCode code);

class [[nodiscard]] Status {
 public:
  Status() = default;  // ok
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}
  Status(StatusCode code, const Words& words);

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }
  /// The message and what of it may be logged. Who makes one error of another takes these, so that what it quotes stays
  /// known.
  Words words() const;

  /// The same error with "context: " in front; ok stays ok.
  Status WithContext(std::string_view context) const;
  Status WithContext(const Words& context) const;
  /// The same words under another code.
  Status As(StatusCode code) const;
  /// "unavailable: gateway 127.0.0.1:9090 refused the connection"
  std::string ToString() const;

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
  std::shared_ptr<const std::string> open_;  // Words::open() where it is not the message
};

inline Status InvalidArgument(std::string message) { return Status(StatusCode::kInvalidArgument, std::move(message)); }

/// A T, or the Status that says why there is none. value() may be called only when ok().
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}          // NOLINT: implicit by design
  Result(Status status) : status_(std::move(status)) {}  // NOLINT: implicit by design

  bool ok() const { return status_.ok(); }
  const Status& status() const { return status_; }
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return std::move(*value_); }
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  Status status_;
  std::optional<T> value_;
};

/// Returns from the enclosing function when `expression` is an error.
#define FENSI_RETURN_IF_ERROR(expression)                                                        \
  do {                                                                                           \
    if (::fensi::Status fensi_status_ = (expression); !fensi_status_.ok()) return fensi_status_; \
  } while (false)

}  // namespace fensi
