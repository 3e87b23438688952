// The result of an operation: a code, and a message for a person.
//
// Library code returns Status or Result<T> and never throws; exceptions of third parties are turned into a Status in
// the one file that includes the third party. A message names the coordinates (index, row, topic, partition, offset,
// file:line:col) and, if a person can act, the remedy. Values are immutable after construction and may be shared.
#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/redactable_text.h"

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

/// One pointer, null if ok: an ok costs nothing to create. Copies share the error, so copying needs no memory.
class [[nodiscard]] Status {
 public:
  Status() = default;  // ok
  Status(StatusCode code, std::string message);
  Status(StatusCode code, const RedactableText& words);

  bool ok() const { return error_ == nullptr; }
  StatusCode code() const { return ok() ? StatusCode::kOk : error_->code; }
  /// Empty when ok.
  const std::string& message() const;
  /// The message and the part of it that may be logged. Use these to build one error from another, so that quotations
  /// stay marked.
  RedactableText words() const;

  /// The same error with the prefix "context: "; ok stays ok.
  Status WithContext(std::string_view context) const;
  Status WithContext(const RedactableText& context) const;
  /// The same error with this text at its end, for instance a remedy; ok stays ok.
  Status WithSuffix(std::string_view text) const;
  /// The same text under another code; ok stays ok.
  Status As(StatusCode code) const;
  /// "unavailable: gateway 127.0.0.1:9090 refused the connection"
  std::string ToString() const;

 private:
  struct Error : boost::intrusive_ref_counter<Error> {
    StatusCode code;
    std::string message;
    std::optional<std::string> open;  // RedactableText::open() if it differs from the message
    Error(StatusCode of, std::string words) : code(of), message(std::move(words)) {}
  };
  boost::intrusive_ptr<const Error> error_;
};

/// kInternal: the exception that ended some work. Names lack of memory, and what a person can do.
Status InternalError(const std::exception& error);

inline Status InvalidArgument(std::string message) { return Status(StatusCode::kInvalidArgument, std::move(message)); }
inline Status InvalidArgument(const RedactableText& words) { return Status(StatusCode::kInvalidArgument, words); }

/// A T, or the Status with the reason why there is none. value() may be called only if ok().
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}          // NOLINT: implicit by design
  Result(Status status) : status_(std::move(status)) {}  // NOLINT: implicit by design

  bool ok() const { return status_.ok(); }
  const Status& status() const& { return status_; }
  Status status() && { return std::move(status_); }
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return std::move(*value_); }
  T& operator*() & { return *value_; }
  T&& operator*() && { return std::move(*value_); }
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

#define FENSI_JOINED_(a, b) a##b
#define FENSI_JOINED(a, b) FENSI_JOINED_(a, b)
#define FENSI_ASSIGN_OR_RETURN_(result, target, ...)   \
  auto result = (__VA_ARGS__);                         \
  if (!result.ok()) return std::move(result).status(); \
  target = *std::move(result)

/// Two statements: `FENSI_ASSIGN_OR_RETURN(const Row row, Read(key));` returns the Status of Read if it is an error,
/// and otherwise moves the value into a new `row`, or into an existing one.
#define FENSI_ASSIGN_OR_RETURN(target, ...) \
  FENSI_ASSIGN_OR_RETURN_(FENSI_JOINED(fensi_result_, __COUNTER__), target, __VA_ARGS__)

}  // namespace fensi
