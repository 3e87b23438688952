// From one request to its answer: who may ask, what there is, and what is refused in which words. No network in it.
//
// Whatever the bytes of a request are, they do not come back in an answer. Any thread, but for SetToken.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admin/status_source.h"

namespace fensi::admin {

struct Request {
  std::string method;
  std::string target;              // "/-/ready?verbose"
  bool http_1_0 = false;           // which needs no Host
  std::vector<std::string> hosts;  // each of these headers, as often as it was given
  std::vector<std::string> origins;
  std::vector<std::string> authorizations;
  std::vector<std::string> marks;  // X-Fensi
};

struct Answer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::string allow;         // for 405
  bool retry_later = false;  // for 503 of a server that is full
  std::optional<Wish> wish;  // nothing of the above: what became of it is the answer
};

/// {"error":"words"}
Answer Refusal(int status, const std::string& words);

struct AnswersOptions {
  std::string token;               // empty: none is asked for
  std::vector<std::string> hosts;  // names by which we are asked for, beside addresses and localhost
  bool may_change = false;         // what a POST asks for is done
  bool secure = false;             // asked by https://
};

class Answers {
 public:
  /// `source` must outlive it.
  Answers(const StatusSource* source, AnswersOptions options);

  Answer To(const Request& request) const;
  /// A question of those who see whether the daemon lives.
  static bool IsProbe(std::string_view target);
  /// From here on it is asked for; not while To runs.
  void SetToken(std::string token) { options_.token = std::move(token); }

 private:
  std::optional<Answer> Refused(const Request& request) const;
  std::optional<Answer> RefusedToStranger(const Request& request) const;
  Answer ToChange(const Request& request) const;
  bool IsOurs(std::string_view host) const;
  bool Authorized(const Request& request) const;
  Answer Probe(const std::vector<Check>& checks, bool verbose) const;
  Answer Metrics() const;

  const StatusSource* const source_;
  AnswersOptions options_;
};

// From what Boost.Beast has read to a Request. Pure.

Request FromHttp(const boost::beast::http::request<boost::beast::http::string_body>& http);

}  // namespace fensi::admin
