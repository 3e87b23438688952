#include "consumer/codec/json_fault.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "base/bytes.h"

namespace fensi::consumer {
namespace {

using nlohmann::json;

constexpr size_t kMostQuoted = 40;

class Locator final : public nlohmann::json_sax<json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    position_ = position;
    message_ = error.what();
    return false;
  }

  /// The parser's message without its last token, which may be a part of a character.
  std::string Text(std::string_view whole) const {
    // "[json.exception.parse_error.101] parse error at line 1, column 9: syntax error …; last read: '\"x'"
    const size_t colon = message_.find(": "), last = message_.find("; last read:");
    std::string text = "not JSON at byte " + std::to_string(position_);
    if (colon != std::string::npos && colon < last) text += message_.substr(colon, last - colon);
    const size_t here = std::min(whole.size(), position_ - std::min<size_t>(position_, 1));
    text +=
        here == whole.size() ? ": the text ends there" : ", at '" + EscapeSome(whole.substr(here), kMostQuoted) + "'";
    if (message_.find("after backslash") != std::string::npos) text += " (a byte is written \\\\x00 in JSON)";
    return text;
  }

 private:
  std::size_t position_ = 0;
  std::string message_;
};

}  // namespace

Status JsonFault(std::string_view text, std::string_view otherwise) {
  Locator locator;
  const bool good = json::sax_parse(text.begin(), text.end(), &locator);
  return Status(StatusCode::kInvalidArgument, good ? "not readable: " + std::string(otherwise) : locator.Text(text));
}

}  // namespace fensi::consumer
