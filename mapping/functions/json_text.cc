#include "mapping/functions/json_text.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>

namespace fensi::mapping {
namespace {

constexpr int kMaxDepth = 1000;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Four hex digits; the caller has checked that they are.
uint32_t HexUnit(std::string_view digits) {
  uint32_t unit = 0;
  std::from_chars(digits.data(), digits.data() + 4, unit, 16);
  return unit;
}

bool IsHighSurrogate(uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool IsLowSurrogate(uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

// Appends a character as UTF-8; never longer than the escape that wrote it.
char* PutCharacter(uint32_t c, char* out) {
  if (c < 0x80) {
    *out++ = static_cast<char>(c);
  } else if (c < 0x800) {
    *out++ = static_cast<char>(0xc0 | c >> 6);
  } else if (c < 0x10000) {
    *out++ = static_cast<char>(0xe0 | c >> 12);
    *out++ = static_cast<char>(0x80 | (c >> 6 & 0x3f));
  } else {
    *out++ = static_cast<char>(0xf0 | c >> 18);
    *out++ = static_cast<char>(0x80 | (c >> 12 & 0x3f));
    *out++ = static_cast<char>(0x80 | (c >> 6 & 0x3f));
  }
  if (c >= 0x80) *out++ = static_cast<char>(0x80 | (c & 0x3f));
  return out;
}

char EscapedByte(char letter) {
  constexpr std::string_view kLetters = "bfnrt";
  constexpr std::string_view kBytes = "\b\f\n\r\t";
  const size_t at = kLetters.find(letter);
  return at == std::string_view::npos ? letter : kBytes[at];
}

// Takes \uNNNN, or a pair of them, off `rest`.
uint32_t TakeUnicode(std::string_view* rest) {
  const uint32_t unit = HexUnit(rest->substr(2));
  rest->remove_prefix(6);
  if (!IsHighSurrogate(unit)) return IsLowSurrogate(unit) ? 0xfffd : unit;
  const uint32_t low = rest->starts_with("\\u") ? HexUnit(rest->substr(2)) : 0;
  if (!IsLowSurrogate(low)) return 0xfffd;
  rest->remove_prefix(6);
  return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
}

// Into `out`, which has room for as many bytes as `text`; answers the end.
char* Unescape(std::string_view text, char* out) {
  while (!text.empty()) {
    const size_t plain = std::min(text.find('\\'), text.size());
    out = std::copy_n(text.data(), plain, out);
    text.remove_prefix(plain);
    if (text.starts_with("\\u")) {
      out = PutCharacter(TakeUnicode(&text), out);
    } else if (!text.empty()) {
      *out++ = EscapedByte(text[1]);
      text.remove_prefix(2);
    }
  }
  return out;
}

std::string_view InQuotes(std::string_view quoted) { return quoted.substr(1, quoted.size() - 2); }

bool SameName(std::string_view quoted, std::string_view name) {
  const std::string_view text = InQuotes(quoted);
  if (text.find('\\') == std::string_view::npos) return text == name;
  std::string plain(text.size(), '\0');
  plain.resize(static_cast<size_t>(Unescape(text, plain.data()) - plain.data()));
  return plain == name;
}

/// The rest of a path; null: nothing is searched here.
using Way = const std::span<const JsonStep>*;

// Recursive descent over a whole document. Every method answers false where it is not JSON.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool Document(std::span<const JsonStep> path, std::optional<JsonValue>* found) {
    found_ = found;
    if (!Value(&path)) return false;
    SkipBlanks();
    return pos_ == text_.size();
  }

  size_t position() const { return pos_; }

  void Fields(std::vector<JsonField>* fields) {
    fields->clear();
    ++pos_;
    for (SkipBlanks(); Peek() != '}'; SkipBlanks()) {
      if (Peek() == ',') ++pos_;
      SkipBlanks();
      JsonField field;
      const size_t begin = pos_;
      if (!String()) break;
      field.name = text_.substr(begin, pos_ - begin);
      SkipBlanks();
      if (!Take(':') || !Any(nullptr, &field.value)) break;
      fields->push_back(field);
    }
  }

  void Items(std::vector<JsonValue>* items) {
    items->clear();
    ++pos_;
    for (SkipBlanks(); Peek() != ']'; SkipBlanks()) {
      if (Peek() == ',') ++pos_;
      JsonValue item;
      if (!Any(nullptr, &item)) break;
      items->push_back(item);
    }
  }

 private:
  using Kind = JsonValue::Kind;

  char Peek() const { return pos_ < text_.size() ? text_[pos_] : '\0'; }
  bool Take(char c) {
    if (Peek() != c) return false;
    ++pos_;
    return true;
  }
  void SkipBlanks() {
    while (pos_ < text_.size() && std::string_view(" \t\r\n").find(text_[pos_]) != std::string_view::npos) ++pos_;
  }

  static std::span<const JsonStep> Behind(Way path) {
    return path == nullptr ? std::span<const JsonStep>() : path->subspan(1);
  }

  // `path` leads on from this value; null: nothing is sought in it.
  bool Value(Way path) {
    JsonValue value;
    if (!Any(path, &value)) return false;
    if (path != nullptr && path->empty()) *found_ = value;
    return true;
  }

  bool Any(Way path, JsonValue* value) {
    SkipBlanks();
    const size_t begin = pos_;
    const bool read = Read(path != nullptr && !path->empty() ? path : nullptr, &value->kind);
    value->text = text_.substr(begin, pos_ - begin);
    return read;
  }

  bool Read(Way path, Kind* kind) {
    switch (Peek()) {
      case '{':
        *kind = Kind::kObject;
        return Nested([&] { return Object(path); });
      case '[':
        *kind = Kind::kArray;
        return Nested([&] { return Array(path); });
      case '"':
        *kind = Kind::kString;
        return String();
      case 't':
        *kind = Kind::kTruth;
        return Word("true");
      case 'f':
        *kind = Kind::kTruth;
        return Word("false");
      case 'n':
        return Word("null");
      default:
        *kind = Kind::kNumber;
        return Number();
    }
  }

  template <typename Inside>
  bool Nested(const Inside& inside) {
    if (depth_ == kMaxDepth) return false;
    ++depth_;
    const bool read = inside();
    --depth_;
    return read;
  }

  bool Object(Way path) {
    const std::span<const JsonStep> rest = Behind(path);
    bool entered = path == nullptr || !path->front().name;
    ++pos_;
    SkipBlanks();
    if (Take('}')) return true;
    do {
      SkipBlanks();
      const size_t begin = pos_;
      if (Peek() != '"' || !String()) return false;
      const bool here = !entered && SameName(text_.substr(begin, pos_ - begin), *path->front().name);
      entered = entered || here;
      SkipBlanks();
      if (!Take(':') || !Value(here ? &rest : nullptr)) return false;
      SkipBlanks();
    } while (Take(','));
    return Take('}');
  }

  bool Array(Way path) {
    const std::span<const JsonStep> rest = Behind(path);
    ++pos_;
    SkipBlanks();
    if (Take(']')) return true;
    size_t position = 0;
    do {
      const bool here = path != nullptr && path->front().position == position++;
      if (!Value(here ? &rest : nullptr)) return false;
      SkipBlanks();
    } while (Take(','));
    return Take(']');
  }

  bool String() {
    ++pos_;
    while (pos_ < text_.size() && static_cast<unsigned char>(text_[pos_]) >= 0x20) {
      if (Take('"')) return true;
      if (!Take('\\')) {
        ++pos_;
      } else if (!Escape()) {
        return false;
      }
    }
    return false;
  }

  bool Escape() {
    if (!Take('u')) {
      const bool known =
          pos_ < text_.size() && std::string_view("\"\\/bfnrt").find(text_[pos_]) != std::string_view::npos;
      ++pos_;
      return known;
    }
    const std::string_view digits = text_.substr(pos_, 4);
    pos_ += digits.size();
    return digits.size() == 4 && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  }

  bool Word(std::string_view word) {
    if (!text_.substr(pos_).starts_with(word)) return false;
    pos_ += word.size();
    return true;
  }

  bool Digits() {
    const size_t begin = pos_;
    while (IsDigit(Peek())) ++pos_;
    return pos_ > begin;
  }

  bool Number() {
    Take('-');
    if (!Take('0') && !Digits()) return false;
    if (Take('.') && !Digits()) return false;
    if (!Take('e') && !Take('E')) return true;
    if (!Take('+')) Take('-');
    return Digits();
  }

  const std::string_view text_;
  std::optional<JsonValue>* found_ = nullptr;
  size_t pos_ = 0;
  int depth_ = 0;
};

}  // namespace

bool FindJson(std::string_view document, std::span<const JsonStep> path, std::optional<JsonValue>* found) {
  return simdjson::validate_utf8(document.data(), document.size()) && Reader(document).Document(path, found);
}

std::optional<size_t> JsonFault(std::string_view document) {
  if (!simdjson::validate_utf8(document.data(), document.size())) return std::nullopt;
  Reader reader(document);
  std::optional<JsonValue> unused;
  return reader.Document({}, &unused) ? std::nullopt : std::optional(reader.position());
}

void JsonItems(std::string_view array, std::vector<JsonValue>* items) { Reader(array).Items(items); }

void JsonFields(std::string_view object, std::vector<JsonField>* fields) { Reader(object).Fields(fields); }

std::string_view JsonString(std::string_view quoted, Scratch* scratch) {
  const std::string_view text = InQuotes(quoted);
  if (text.find('\\') == std::string_view::npos) return text;
  char* const out = scratch->Allocate(text.size());
  return {out, static_cast<size_t>(Unescape(text, out) - out)};
}

}  // namespace fensi::mapping
