// From what Boost.Beast has read to a Request. Pure.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include "admin/answers.h"

namespace fensi::admin {

Request FromHttp(const boost::beast::http::request<boost::beast::http::string_body>& http);

}  // namespace fensi::admin
