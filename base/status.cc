#include "base/status.h"

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

Status::Status(StatusCode code, const Words& words) : code_(code), message_(words.all()) {
  if (words.open() != words.all()) open_ = std::make_shared<const std::string>(words.open());
}

Words Status::words() const { return open_ == nullptr ? Words(message_) : Words(message_, *open_); }

Status Status::WithContext(std::string_view context) const { return WithContext(Words(std::string(context))); }

Status Status::WithContext(const Words& context) const {
  return ok() ? *this : Status(code_, context + ": " + words());
}

Status Status::As(StatusCode code) const {
  Status status = *this;
  status.code_ = code;
  return status;
}

std::string Status::ToString() const {
  if (ok()) return "ok";
  std::string text(StatusCodeName(code_));
  return text.append(": ").append(message_);
}

}  // namespace fensi
