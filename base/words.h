// A sentence for a person, of which parts may quote what tables hold: row keys, columns, values, literals of a mapping.
//
// Who asked is told all of it; what others read, as a log, has open(). A value.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace fensi {

class Words {
 public:
  /// What stands in open() for each quotation.
  static constexpr std::string_view kHidden = "[hidden]";

  Words() = default;
  /// Explicit: who makes words of a text says that it quotes nothing.
  explicit Words(std::string text) : all_(std::move(text)), open_(all_) {}
  static Words Quote(std::string quoted) { return {std::move(quoted), std::string(kHidden)}; }
  /// For who keeps both.
  Words(std::string all, std::string open) : all_(std::move(all)), open_(std::move(open)) {}

  const std::string& all() const { return all_; }
  const std::string& open() const { return open_; }
  bool empty() const { return all_.empty(); }

  Words& operator+=(const Words& more) {
    all_ += more.all_;
    open_ += more.open_;
    return *this;
  }
  Words& operator+=(std::string_view text) {
    all_ += text;
    open_ += text;
    return *this;
  }
  friend Words operator+(Words left, const Words& right) { return std::move(left += right); }
  friend Words operator+(Words left, std::string_view right) { return std::move(left += right); }
  friend Words operator+(std::string_view left, const Words& right) { return Words(std::string(left)) + right; }

 private:
  std::string all_;
  std::string open_;
};

}  // namespace fensi
