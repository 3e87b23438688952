// A message for a person, parts of which may quote table data: row keys, columns, values, literals of a mapping.
//
// The caller sees all of it; others, for instance readers of a log, see open(). A value.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace fensi {

class RedactableText {
 public:
  /// Replaces each quotation in open().
  static constexpr std::string_view kHidden = "[hidden]";

  RedactableText() = default;
  /// Explicit, because this text must quote nothing.
  explicit RedactableText(std::string text) : all_(std::move(text)), open_(all_) {}
  static RedactableText Quote(std::string quoted) { return {std::move(quoted), std::string(kHidden)}; }
  /// From both forms.
  RedactableText(std::string all, std::string open) : all_(std::move(all)), open_(std::move(open)) {}

  const std::string& all() const { return all_; }
  const std::string& open() const { return open_; }
  bool empty() const { return all_.empty(); }

  RedactableText& operator+=(const RedactableText& more) {
    all_ += more.all_;
    open_ += more.open_;
    return *this;
  }
  RedactableText& operator+=(std::string_view text) {
    all_ += text;
    open_ += text;
    return *this;
  }
  friend RedactableText operator+(RedactableText left, const RedactableText& right) { return std::move(left += right); }
  friend RedactableText operator+(RedactableText left, std::string_view right) { return std::move(left += right); }
  friend RedactableText operator+(std::string_view left, const RedactableText& right) {
    return RedactableText(std::string(left)) + right;
  }

 private:
  std::string all_;
  std::string open_;
};

}  // namespace fensi
