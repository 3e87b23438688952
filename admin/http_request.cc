#include "admin/http_request.h"

#include <boost/beast/http/field.hpp>

namespace fensi::admin {
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
