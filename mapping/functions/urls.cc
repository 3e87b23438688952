// The parts of a URL, as RFC 3986 finds them.
#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/functions/function.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;

constexpr Category kCategory = Category::kIds;

enum class UrlPart { kScheme, kHost, kPort, kPath, kQuery, kFragment };
constexpr std::string_view kUrlParts = "scheme host port path query fragment";

constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHexLetters = "ABCDEF";
constexpr std::string_view kSchemeMarks = "+-.";
constexpr std::string_view kUnreservedMarks = "-._~";
constexpr std::string_view kDelimiters = "!$&'()*+,;=";  // that may stand in a name as they are

bool In(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }
bool IsLetter(char c) { return In(kUpper, c) || In(kLower, c); }
bool IsUnreserved(char c) { return IsLetter(c) || In(kDigits, c) || In(kUnreservedMarks, c); }
char Lower(char c) { return In(kUpper, c) ? static_cast<char>(c - 'A' + 'a') : c; }
char Upper(char c) { return In(kLower, c) ? static_cast<char>(c - 'a' + 'A') : c; }

/// 0 to 15; -1: no hex digit.
int HexDigit(char c) {
  if (In(kDigits, c)) return c - '0';
  const size_t letter = kHexLetters.find(Upper(c));
  return letter == std::string_view::npos ? -1 : static_cast<int>(letter) + 10;
}

/// Does a percent-encoded byte begin here?
bool IsEncoded(std::string_view text, size_t at) {
  return text[at] == '%' && at + 2 < text.size() && HexDigit(text[at + 1]) >= 0 && HexDigit(text[at + 2]) >= 0;
}

bool IsScheme(std::string_view text) {
  const auto legal = [](char c) { return IsLetter(c) || In(kDigits, c) || In(kSchemeMarks, c); };
  return !text.empty() && IsLetter(text[0]) && std::all_of(text.begin(), text.end(), legal);
}

bool IsPort(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return In(kDigits, c); });
}

/// A name, or with ':' a user.
bool IsName(std::string_view text, std::string_view also = "") {
  for (size_t i = 0; i < text.size(); ++i) {
    if (IsEncoded(text, i)) {
      i += 2;
    } else if (!IsUnreserved(text[i]) && !In(kDelimiters, text[i]) && !In(also, text[i])) {
      return false;
    }
  }
  return true;
}

/// "[::1]", or "[v1.x]" of a version of IP to come.
bool IsAddressInBrackets(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']') || text.size() < 2) return false;
  const std::string inner(text.substr(1, text.size() - 2));
  std::array<unsigned char, 16> address{};
  if (inet_pton(AF_INET6, inner.c_str(), address.data()) == 1) return inner.find('\0') == std::string::npos;
  const size_t dot = std::min(inner.find('.'), inner.size());
  const auto is_hex = [](char c) { return HexDigit(c) >= 0; };
  return Lower(inner.empty() ? ' ' : inner[0]) == 'v' && dot > 1 && dot + 1 < inner.size() &&
         std::all_of(inner.begin() + 1, inner.begin() + static_cast<std::ptrdiff_t>(dot), is_hex) &&
         inner.find('%') == std::string::npos && IsName(inner.substr(dot + 1), ":");
}

std::string_view Take(std::string_view* rest, std::string_view stops) {
  const size_t end = std::min(rest->find_first_of(stops), rest->size());
  const std::string_view taken = rest->substr(0, end);
  rest->remove_prefix(end);
  return taken;
}

/// Takes a URL apart as RFC 3986, appendix B, does. A part that is absent is empty.
class UrlReader {
 public:
  /// False: this is no URL, and `problem` says why.
  bool Read(std::string_view url) {
    const size_t colon = url.find_first_of(":/?#");
    if (colon != std::string_view::npos && url[colon] == ':') {
      parts_[At(UrlPart::kScheme)] = url.substr(0, colon);
      if (!IsScheme(url.substr(0, colon)))
        return Fail(url.substr(0, colon), "a scheme: a letter, then letters, digits, '+', '-' or '.'");
      url.remove_prefix(colon + 1);
    }
    if (url.starts_with("//")) {
      url.remove_prefix(2);
      if (!ReadAuthority(Take(&url, "/?#"))) return false;
    }
    parts_[At(UrlPart::kPath)] = Take(&url, "?#");
    if (url.starts_with('?')) parts_[At(UrlPart::kQuery)] = Take(&url, "#").substr(1);
    if (!url.empty()) parts_[At(UrlPart::kFragment)] = url.substr(1);
    return true;
  }

  std::string_view part(UrlPart part) const { return parts_[At(part)]; }
  const std::string& problem() const { return problem_; }

 private:
  static size_t At(UrlPart part) { return static_cast<size_t>(part); }

  bool Fail(std::string_view text, std::string_view what) {
    problem_ = Shown(text) + " is not " + std::string(what);
    return false;
  }

  bool ReadAuthority(std::string_view authority) {
    const size_t user = authority.find('@');
    if (user != std::string_view::npos) {
      if (!IsName(authority.substr(0, user), ":"))
        return Fail(authority.substr(0, user), "a user: percent-encode its special characters");
      authority.remove_prefix(user + 1);
    }
    const size_t bracket = authority.starts_with('[') ? std::min(authority.find(']'), authority.size()) : 0;
    const size_t colon = std::min(authority.find(':', bracket), authority.size());
    const std::string_view host = authority.substr(0, colon);
    if (!IsName(host) && !IsAddressInBrackets(host))
      return Fail(host, "a host: put IPv6 in brackets, and write letters beyond ASCII in punycode or percent-encoded");
    parts_[At(UrlPart::kHost)] = host;
    const std::string_view port = authority.substr(std::min(colon + 1, authority.size()));
    if (!IsPort(port)) return Fail(port, "a port: use digits only");
    parts_[At(UrlPart::kPort)] = port;
    return true;
  }

  std::array<std::string_view, 6> parts_;
  std::string problem_;
};

// Equal hosts become equal bytes (RFC 3986, 6.2.2): of a percent-encoded byte only the one without another spelling
// stays, in capitals.
std::string NormalForm(std::string_view host) {
  std::string out;
  for (size_t i = 0; i < host.size(); ++i) {
    if (host[i] != '%') {
      out.push_back(Lower(host[i]));
      continue;
    }
    const char byte = static_cast<char>(16 * HexDigit(host[i + 1]) + HexDigit(host[i + 2]));
    if (IsUnreserved(byte)) {
      out.push_back(Lower(byte));
    } else {
      out.append({'%', Upper(host[i + 1]), Upper(host[i + 2])});
    }
    i += 2;
  }
  return out;
}

Outcome Url(const Arguments& a, Value* v, Scratch* scratch) {
  const auto part = static_cast<UrlPart>(a[0].number);
  UrlReader url;
  if (!url.Read(v->bytes)) return Refuse(scratch, Shown(v->bytes) + " is not a URL: " + url.problem());
  v->bytes = url.part(part);
  if (v->bytes.empty()) return Outcome::kAbsent;
  if (part == UrlPart::kScheme || part == UrlPart::kHost) v->bytes = scratch->Keep(NormalForm(v->bytes));
  return Outcome::kValue;
}

ByteSet InLowerCase(ByteSet bytes) {
  for (const char c : kUpper) {
    if (bytes[static_cast<unsigned char>(c)]) bytes.set(static_cast<unsigned char>(Lower(c)));
    bytes.reset(static_cast<unsigned char>(c));
  }
  return bytes;
}

// A percent-encoded byte of a host may be any letter, whatever the bytes of the URL are.
ByteSet BytesOfPart(UrlPart part, const ByteSet& url) {
  const ByteSet letters = BytesOf(kUpper) | BytesOf(kLower) | BytesOf(kDigits);
  const ByteSet host = letters | BytesOf(kUnreservedMarks) | BytesOf(kDelimiters) | BytesOf("[:]");
  switch (part) {
    case UrlPart::kScheme:
      return InLowerCase(url & (letters | BytesOf(kSchemeMarks)));
    case UrlPart::kHost:
      return url['%'] ? InLowerCase(host) | BytesOf("%") | BytesOf(kHexLetters) : InLowerCase(url & host);
    case UrlPart::kPort:
      return url & BytesOf(kDigits);
    case UrlPart::kPath:
      return url & ~BytesOf("?#");
    case UrlPart::kQuery:
      return url & ~BytesOf("#");
    case UrlPart::kFragment:
      break;
  }
  return url;
}

void UrlShape(const Arguments& a, Shape* shape) {
  shape->MergeAny();
  shape->LoseOrder();
  shape->Change();
  shape->mappable = false;
  shape->may_be_absent = true;
  shape->SetWidth(1, std::max<size_t>(shape->max_width, 1));
  shape->bytes = BytesOfPart(static_cast<UrlPart>(a[0].number), shape->bytes);
}

}  // namespace

std::vector<Function> UrlFunctions() {
  return {{"url",
           kCategory,
           {{"part", Kind::kChoice, false, kUrlParts}},
           Takes(Type::kBytes),
           Url,
           UrlShape,
           "bytes -> bytes",
           "`scheme`, `host`, `port`, `path`, `query` or `fragment` of a URL (RFC 3986), scheme and host in lower case",
           "absent when the URL has no such part; unmappable when scheme, user, host or port are malformed",
           {"| url host", "https://ann@Example.COM:8080/a?b#c", "example.com"},
           {.role = Role::kPiece},
           2}};
}

}  // namespace fensi::mapping
