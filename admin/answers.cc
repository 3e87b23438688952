#include "admin/answers.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <boost/beast/http/field.hpp>
#include <cctype>

#include "admin/page_files.h"
#include "base/bytes.h"
#include "base/text.h"
#include "metrics/text.h"

namespace fensi::admin {
namespace {

constexpr char kNoSuchPage[] =
    "there is no such page. The pages are /, /status, /metrics, /history, /flags, /version, /-/healthy and /-/ready";

enum class Page { kMetrics, kStatus, kHistory, kFlags, kVersion, kHealthy, kReady };

struct Place {
  std::string_view path;
  Page page;
  bool probe = false;  // asked by what has no token; may be `?verbose`
};

constexpr std::array<Place, 7> kPlaces = {{{"/metrics", Page::kMetrics},
                                           {"/status", Page::kStatus},
                                           {"/history", Page::kHistory},
                                           {"/flags", Page::kFlags},
                                           {"/version", Page::kVersion},
                                           {"/-/healthy", Page::kHealthy, true},
                                           {"/-/ready", Page::kReady, true}}};

std::string_view PathOf(std::string_view target) { return target.substr(0, target.find('?')); }

const Place* Find(std::string_view target) {
  const std::string_view path = PathOf(target);
  const auto* found =
      std::find_if(kPlaces.begin(), kPlaces.end(), [&](const Place& each) { return each.path == path; });
  return found == kPlaces.end() ? nullptr : found;
}

/// "/-/reload", "/indexes/NAME/pause": what is wished for, without its reason.
std::optional<Wish> ChangeOf(std::string_view target) {
  constexpr std::string_view kBegin = "/indexes/";
  std::string_view path = PathOf(target);
  if (path == "/-/reload") return Wish{Wish::Kind::kReload, {}, {}};
  if (!path.starts_with(kBegin)) return std::nullopt;
  path.remove_prefix(kBegin.size());
  const size_t slash = path.find('/');
  if (slash == 0 || slash == std::string_view::npos) return std::nullopt;
  const std::string_view verb = path.substr(slash + 1);
  if (verb != "pause" && verb != "resume") return std::nullopt;
  return Wish{verb == "pause" ? Wish::Kind::kPause : Wish::Kind::kResume, std::string(path.substr(0, slash)), {}};
}

/// As browsers and curl write what stands in a query: %41 and +.
std::optional<std::string> DecodeQuery(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (text.size() - i < 3 || HexDigit(text[i + 1]) < 0 || HexDigit(text[i + 2]) < 0) return std::nullopt;
    decoded += static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]));
    i += 2;
  }
  return decoded;
}

std::string_view Query(std::string_view target) {
  const size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
}

/// "localhost:16180" -> "localhost", "[::1]:16180" -> "::1"; a host that is not written so is left as it is.
std::string_view WithoutPort(std::string_view host) {
  if (host.starts_with('[')) {
    const size_t end = host.find(']');
    const bool port = end != std::string_view::npos && (end + 1 == host.size() || host[end + 1] == ':');
    return port ? host.substr(1, end - 1) : host;
  }
  const size_t colon = host.find(':');
  return host.substr(0, colon);
}

bool SameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char left, unsigned char right) { return std::tolower(left) == std::tolower(right); });
}

/// Takes as long whichever of its bytes are wrong. That the lengths differ may be seen.
bool SameSecret(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

Answer Refusal(int status, const std::string& words) {
  Answer answer;
  answer.status = status;
  answer.body = R"({"error":")" + words + "\"}\n";
  return answer;
}

Answers::Answers(const StatusSource* source, AnswersOptions options) : source_(source), options_(std::move(options)) {}

bool Answers::IsProbe(std::string_view target) {
  const Place* place = Find(target);
  return place != nullptr && place->probe;
}

Answer Answers::To(const Request& request) const {
  if (std::optional<Answer> stranger = RefusedToStranger(request)) return *stranger;
  if (ChangeOf(request.target)) return ToChange(request);
  if (std::optional<Answer> refused = Refused(request)) return *refused;
  if (const PageFile* file = FindPageFile(PathOf(request.target))) {
    return {.type = std::string(TypeOf(*file)), .body = std::string(file->text)};
  }
  const Place* place = Find(request.target);
  switch (place->page) {
    case Page::kMetrics:
      return Metrics();
    case Page::kStatus:
      return {.body = source_->Status()};
    case Page::kHistory:
      return {.body = source_->History()};
    case Page::kFlags:
      return {.type = "text/plain; charset=utf-8", .body = source_->Flags()};
    case Page::kVersion:
      return {.body = source_->Version()};
    case Page::kHealthy:
      return Probe(source_->Health(), !Query(request.target).empty());
    case Page::kReady:
      return Probe(source_->Readiness(), !Query(request.target).empty());
  }
  return Refusal(404, kNoSuchPage);
}

/// Who asks comes before what is asked for: a stranger does not learn what there is.
std::optional<Answer> Answers::RefusedToStranger(const Request& request) const {
  if (request.hosts.size() > 1 || (request.hosts.empty() && !request.http_1_0)) {
    return Refusal(400, "the request must have exactly one Host header");
  }
  if (!request.hosts.empty() && !IsOurs(request.hosts.front())) {
    return Refusal(
        421,
        "the Host header names another server. In the URL, write the address of this server, localhost, the name "
        "of this machine, or a name of --admin_host");
  }
  for (const std::string& origin : request.origins) {
    const char* const scheme = options_.secure ? "https://" : "http://";
    const bool own = !request.hosts.empty() && SameName(origin, scheme + request.hosts.front());
    if (!own)
      return Refusal(
          403,
          "the Origin header names another web server, and its pages may not send requests to this server. Open the "
          "status page of this server itself, or send no Origin header");
  }
  const bool probe = IsProbe(request.target);
  // The page asks the person for the token: a browser sends none by itself.
  const bool open = probe || FindPageFile(PathOf(request.target)) != nullptr;
  if (!open && !Authorized(request))
    return Refusal(401,
                   "the token is missing or wrong. Send the header Authorization: Bearer TOKEN with the token in the "
                   "file of --admin_token_file");
  return std::nullopt;
}

std::optional<Answer> Answers::Refused(const Request& request) const {
  const Place* place = Find(request.target);
  if (place == nullptr && FindPageFile(PathOf(request.target)) == nullptr) return Refusal(404, kNoSuchPage);
  if (request.method != "GET" && request.method != "HEAD") {
    Answer answer = Refusal(405, "this page is read-only: send GET or HEAD");
    answer.allow = "GET, HEAD";
    return answer;
  }
  const std::string_view query = Query(request.target);
  const bool known = query.empty() || (place != nullptr && place->probe && query == "verbose");
  if (known) return std::nullopt;
  // The path is one of our pages, so the answer quotes no text of the client.
  const std::string path(PathOf(request.target));
  const bool probe = place != nullptr && place->probe;
  return Refusal(400, path + (probe ? " takes only the query ?verbose: leave out any other"
                                    : " takes no query: leave out '?' and the text after it"));
}

/// A form of another page cannot send a header of its own: X-Fensi shows that whoever asks means it.
Answer Answers::ToChange(const Request& request) const {
  constexpr std::string_view kReason = "reason=";
  if (request.method != "POST") {
    Answer answer = Refusal(405, "this request changes the daemon: send it with POST");
    answer.allow = "POST";
    return answer;
  }
  if (!options_.may_change)
    return Refusal(
        403, "this daemon takes no changes, because it runs without --admin_control. Restart it with --admin_control");
  if (request.marks != std::vector<std::string>{"1"})
    return Refusal(403, "the header X-Fensi: 1 is missing. Send it with each request that changes the daemon");
  Wish wish = *ChangeOf(request.target);
  const std::string_view query = Query(request.target);
  const bool pauses = wish.kind == Wish::Kind::kPause;
  if (!pauses && !query.empty()) return Refusal(400, "this change takes no query: leave out '?' and the text after it");
  if (pauses && !query.starts_with(kReason))
    return Refusal(400, "a pause needs a reason: add ?reason=TEXT to the path");
  if (pauses) {
    std::optional<std::string> reason = DecodeQuery(query.substr(kReason.size()));
    if (!reason || query.find('&') != std::string_view::npos)
      return Refusal(400,
                     "the reason cannot be decoded. The query must be ?reason=TEXT and nothing else. In TEXT, write "
                     "each '%' as %25, each '&' as %26 and each '+' as %2B");
    wish.reason = std::move(*reason);
  }
  return {.wish = std::move(wish)};
}

bool Answers::IsOurs(std::string_view host) const {
  const std::string_view name = WithoutPort(host);
  if (IsNumericAddress(std::string(name)) || SameName(name, "localhost")) return true;
  return std::any_of(options_.hosts.begin(), options_.hosts.end(),
                     [name](const std::string& own) { return SameName(name, own); });
}

bool Answers::Authorized(const Request& request) const {
  if (options_.token.empty()) return true;
  return request.authorizations.size() == 1 && SameSecret(request.authorizations.front(), "Bearer " + options_.token);
}

Answer Answers::Probe(const std::vector<Check>& checks, bool verbose) const {
  const bool good = std::all_of(checks.begin(), checks.end(),
                                [](const Check& check) { return check.fault.empty() || check.only_shown; });
  Answer answer{.status = good ? 200 : 503, .type = "text/plain; charset=utf-8"};
  if (!verbose) {
    answer.body = good ? "ok\n" : "not ok; ?verbose says why\n";
    return answer;
  }
  for (const Check& check : checks) {
    answer.body += (check.fault.empty() ? "[+]" + check.name : "[-]" + check.name + ": " + check.fault) + "\n";
  }
  return answer;
}

Answer Answers::Metrics() const {
  metrics::Snapshot snapshot;
  source_->Collect(&snapshot);
  return {.type = metrics::kTextType, .body = metrics::Text(snapshot)};
}

namespace {

namespace http = boost::beast::http;

std::vector<std::string> AllOf(const http::request<http::string_body>& request, http::field field) {
  std::vector<std::string> values;
  const auto [first, last] = request.equal_range(field);
  for (auto each = first; each != last; ++each) values.emplace_back(each->value());
  return values;
}

}  // namespace

Request FromHttp(const http::request<http::string_body>& from) {
  Request request;
  request.method = std::string(from.method_string());
  request.target = std::string(from.target());
  request.http_1_0 = from.version() < 11;
  request.hosts = AllOf(from, http::field::host);
  request.origins = AllOf(from, http::field::origin);
  request.authorizations = AllOf(from, http::field::authorization);
  const auto [first, last] = from.equal_range("X-Fensi");
  for (auto each = first; each != last; ++each) request.marks.emplace_back(each->value());
  return request;
}

}  // namespace fensi::admin
