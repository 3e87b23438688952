// The parts of a URL.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/functions/function.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;

constexpr Category kCategory = Category::kIds;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

enum class UrlPart { kScheme, kHost, kPort, kPath, kQuery, kFragment };
constexpr std::string_view kUrlParts = "SCHEME HOST PORT PATH QUERY FRAGMENT";

std::string_view Take(std::string_view* rest, std::string_view stops) {
  const size_t end = std::min(rest->find_first_of(stops), rest->size());
  const std::string_view taken = rest->substr(0, end);
  rest->remove_prefix(end);
  return taken;
}

/// Nothing: the URL has no such part.
std::optional<std::string_view> PartOfAuthority(UrlPart part, std::string_view authority) {
  const size_t user = authority.rfind('@');
  if (user != std::string_view::npos) authority.remove_prefix(user + 1);
  const size_t bracket = authority.starts_with('[') ? std::min(authority.find(']'), authority.size()) : 0;
  const size_t colon = authority.find(':', bracket);
  if (part == UrlPart::kHost) return authority.substr(0, colon);
  return colon == std::string_view::npos ? std::nullopt : std::optional(authority.substr(colon + 1));
}

std::optional<std::string_view> PartOfUrl(UrlPart part, std::string_view url) {
  const size_t slashes = url.find("://");
  if (slashes != std::string_view::npos && url.substr(0, slashes).find_first_of("/?#") == std::string_view::npos) {
    if (part == UrlPart::kScheme) return url.substr(0, slashes);
    url.remove_prefix(slashes + 3);
    const std::string_view authority = Take(&url, "/?#");
    if (part == UrlPart::kHost || part == UrlPart::kPort) return PartOfAuthority(part, authority);
  } else if (part <= UrlPart::kPort) {
    return std::nullopt;
  }
  const std::string_view path = Take(&url, "?#");
  if (part == UrlPart::kPath) return path;
  const std::string_view query = url.starts_with('?') ? Take(&url, "#") : std::string_view();
  if (part == UrlPart::kQuery) return query.empty() ? std::nullopt : std::optional(query.substr(1));
  return url.empty() ? std::nullopt : std::optional(url.substr(1));
}

Outcome Url(const Arguments& a, Value* v, Scratch* scratch) {
  const auto part = static_cast<UrlPart>(a[0].number);
  const std::optional<std::string_view> found = PartOfUrl(part, v->bytes);
  if (!found || found->empty()) return Outcome::kAbsent;
  v->bytes = *found;
  if (part != UrlPart::kScheme && part != UrlPart::kHost) return Outcome::kValue;
  std::string lower(v->bytes);
  std::transform(lower.begin(), lower.end(), lower.begin(), Lower);
  v->bytes = scratch->Keep(lower);
  return Outcome::kValue;
}

void UrlShape(const Arguments&, Shape* shape) {
  shape->MergeAny();
  shape->LoseOrder();
  shape->Change();
  shape->may_be_absent = true;
  shape->min_width = 1;
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
           "`scheme`, `host`, `port`, `path`, `query` or `fragment` of a URL, scheme and host in lower case",
           "absent when it has none",
           {"| url host", "https://ann@Example.COM:8080/a?b#c", "example.com"},
           {.role = Role::kPiece}}};
}

}  // namespace fensi::mapping
