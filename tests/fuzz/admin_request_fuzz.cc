// Any bytes as a request to the admin server: an answer of the table, and nothing of the bytes comes back in it.
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "admin/answers.h"
#include "admin/page_files.h"
#include "tests/admin/fixed_source.h"

namespace {

using fensi::admin::Answer;
using fensi::admin::Answers;
namespace http = boost::beast::http;

void Check(const Answers& answers, const fensi::admin::Request& request) {
  static const std::set<int> kKnown = {200, 400, 401, 403, 404, 405, 421, 503};
  const Answer answer = answers.To(request);
  if (!kKnown.contains(answer.status)) std::abort();
  if (answer.status == 200 && request.hosts.size() > 1) std::abort();
  if (answer.status == 405 && answer.allow.empty()) std::abort();
  if (answer.status >= 400 && answer.status != 503 && answer.body.size() > 200) std::abort();
}

/// What a stranger may see: the probes, and the files of the page, in which nothing of a daemon stands.
bool IsOpen(const std::string& target) {
  return target.starts_with("/-/") || fensi::admin::FindPageFile(target.substr(0, target.find('?'))) != nullptr;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fensi::admin::FixedSource source;
  static const Answers open(&source, {.hosts = {"fensi"}});
  static const Answers closed(&source, {.token = "secret"});
  http::request_parser<http::string_body> parser;
  parser.header_limit(8 << 10);
  parser.body_limit(64 << 10);
  parser.eager(true);
  boost::beast::error_code error;
  for (size_t done = 0; done < size && !parser.is_done() && !error;) {
    const size_t some = parser.put(boost::asio::buffer(data + done, size - done), error);
    if (some == 0) break;
    done += some;
  }
  if (!parser.is_header_done()) return 0;
  const fensi::admin::Request request = fensi::admin::FromHttp(parser.get());
  Check(open, request);
  Check(closed, request);
  if (request.authorizations.empty() && !IsOpen(request.target) && closed.To(request).status == 200) std::abort();
  return 0;
}
