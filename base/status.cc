#include "base/status.h"

#include <new>

namespace fensi {

std::string_view StatusCodeName(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "ok";
    case StatusCode::kInvalidArgument:
      return "invalid argument";
    case StatusCode::kConfiguration:
      return "configuration";
    case StatusCode::kNotFound:
      return "not found";
    case StatusCode::kAlreadyExists:
      return "already exists";
    case StatusCode::kUnavailable:
      return "unavailable";
    case StatusCode::kPermission:
      return "permission";
    case StatusCode::kRejected:
      return "rejected";
    case StatusCode::kFenced:
      return "fenced";
    case StatusCode::kCancelled:
      return "cancelled";
    case StatusCode::kGap:
      return "gap";
    case StatusCode::kInternal:
      return "internal";
  }
  return "unknown";
}

int ExitCode(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return 0;
    case StatusCode::kInvalidArgument:
      return 64;
    case StatusCode::kUnavailable:
      return 69;
    case StatusCode::kRejected:
    case StatusCode::kFenced:
    case StatusCode::kInternal:
      return 70;
    case StatusCode::kCancelled:
      return 75;
    case StatusCode::kPermission:
      return 77;
    case StatusCode::kConfiguration:
    case StatusCode::kNotFound:
    case StatusCode::kAlreadyExists:
    case StatusCode::kGap:
      return 78;
  }
  return 70;
}

Status::Status(StatusCode code, std::string message) {
  if (code != StatusCode::kOk) error_ = new Error(code, std::move(message));
}

Status::Status(StatusCode code, const RedactableText& words) {
  if (code == StatusCode::kOk) return;
  const boost::intrusive_ptr<Error> error = new Error(code, words.all());
  if (words.open() != words.all()) error->open = words.open();
  error_ = error;
}

const std::string& Status::message() const {
  static const std::string kNone;
  return ok() ? kNone : error_->message;
}

RedactableText Status::words() const {
  return ok() || !error_->open ? RedactableText(message()) : RedactableText(error_->message, *error_->open);
}

Status InternalError(const std::exception& error) {
  const std::string what = error.what();
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return Status(StatusCode::kInternal, "out of memory (" + what + "). Give the process more memory");
  }
  return Status(StatusCode::kInternal, "internal error: " + what + ". Report this line to the developers");
}

Status Status::WithContext(std::string_view context) const { return WithContext(RedactableText(std::string(context))); }

Status Status::WithContext(const RedactableText& context) const {
  return ok() ? *this : Status(code(), context + ": " + words());
}

Status Status::WithSuffix(std::string_view text) const { return ok() ? *this : Status(code(), words() + text); }

Status Status::As(StatusCode code) const { return ok() ? *this : Status(code, words()); }

std::string Status::ToString() const {
  if (ok()) return "ok";
  std::string text(StatusCodeName(code()));
  return text.append(": ").append(message());
}

}  // namespace fensi
