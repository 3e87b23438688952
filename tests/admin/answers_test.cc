// Who may ask for what, without a network.
#include "admin/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/admin/fixed_source.h"
#include "tests/support/matchers.h"

namespace fensi::admin {
namespace {

class AnswersTest : public ::testing::Test {
 protected:
  Answer To(const Request& request) const { return Answers(&source_, options_).To(request); }
  static Request Asking(const std::string& target) {
    return {.method = "GET", .target = target, .hosts = {"localhost"}};
  }

  FixedSource source_;
  AnswersOptions options_;
};

TEST_F(AnswersTest, EachPageHasItsType) {
  EXPECT_EQ(To(Asking("/metrics")).type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(To(Asking("/metrics")).body, HasSubstr("fensi_events_total{index=\"index0\"} 0"));
  EXPECT_EQ(To(Asking("/status")).body, source_.status);
  EXPECT_EQ(To(Asking("/version")).type, "application/json");
  EXPECT_EQ(To(Asking("/history")).body, source_.History());
  EXPECT_EQ(To(Asking("/flags")).type, "text/plain; charset=utf-8");
  EXPECT_EQ(To(Asking("/flags")).body, source_.Flags());
}

TEST_F(AnswersTest, ProbesAreGoodWhenAllIs) {
  EXPECT_EQ(To(Asking("/-/healthy")).status, 200);
  EXPECT_EQ(To(Asking("/-/ready")).status, 503);
  EXPECT_THAT(To(Asking("/-/ready")).body, Not(HasSubstr("broker")));
  EXPECT_EQ(To(Asking("/-/ready?verbose")).body, "[+]index a\n[-]index b: no broker\n");
  source_.readiness.pop_back();
  EXPECT_EQ(To(Asking("/-/ready")).status, 200);
  source_.readiness.push_back({.name = "index c", .fault = "stopped", .only_shown = true});
  EXPECT_EQ(To(Asking("/-/ready")).status, 200);
  EXPECT_EQ(To(Asking("/-/ready?verbose")).body, "[+]index a\n[-]index c: stopped\n");
}

TEST_F(AnswersTest, TheStatusPageAndItsFilesHaveOnePlaceAndOneTypeEach) {
  EXPECT_EQ(To(Asking("/")).type, "text/html; charset=utf-8");
  EXPECT_THAT(To(Asking("/")).body, HasSubstr("page/page.js"));
  EXPECT_EQ(To(Asking("/page/page.js")).type, "text/javascript; charset=utf-8");
  EXPECT_EQ(To(Asking("/page/page.css")).type, "text/css; charset=utf-8");
  EXPECT_THAT(To(Asking("/page/uPlot.LICENSE")).body, HasSubstr("MIT License"));
  for (const char* none :
       {"/page", "/page/", "/page/index.html", "/index.html", "/page/../status", "/page/PAGE.js", "//"}) {
    EXPECT_EQ(To(Asking(none)).status, 404) << none;
  }
  EXPECT_EQ(To(Asking("/?x")).status, 400);
  Request post = Asking("/");
  post.method = "POST";
  EXPECT_EQ(To(post).status, 405);
}

TEST_F(AnswersTest, ThePageNeedsNoTokenButIsNoAnswerToStrangers) {
  options_.token = "secret-canary";
  EXPECT_EQ(To(Asking("/")).status, 200) << "it asks the person for the token";
  EXPECT_EQ(To(Asking("/page/page.js")).status, 200);
  EXPECT_EQ(To(Asking("/page/none.js")).status, 401);
  Request stranger = Asking("/");
  stranger.hosts = {"evil.example.org"};
  EXPECT_EQ(To(stranger).status, 421);
}

TEST_F(AnswersTest, RefusesWhatThereIsNot) {
  EXPECT_EQ(To(Asking("/metrics/")).status, 404);
  EXPECT_EQ(To(Asking("/%6detrics")).status, 404);
  EXPECT_EQ(To(Asking("http://localhost/metrics")).status, 404);
  EXPECT_EQ(To(Asking("")).status, 404);
  EXPECT_EQ(To(Asking("/metrics?x=1")).status, 400);
  EXPECT_EQ(To(Asking("/metrics?verbose")).status, 400);
  EXPECT_EQ(To(Asking("/-/ready?verbose=1")).status, 400);
}

TEST_F(AnswersTest, IsOnlyRead) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "BREW"}) {
    Request request = Asking("/metrics");
    request.method = method;
    EXPECT_EQ(To(request).status, 405) << method;
    EXPECT_EQ(To(request).allow, "GET, HEAD");
  }
  Request head = Asking("/metrics");
  head.method = "HEAD";
  EXPECT_EQ(To(head).status, 200);
}

TEST_F(AnswersTest, IsAskedForByItsOwnNames) {
  options_.hosts = {"fensi.example.org"};
  for (const char* host : {"localhost", "LOCALHOST:16180", "127.0.0.1", "10.1.2.3:80", "[::1]", "[::1]:16180",
                           "fensi.example.org", "FENSI.example.org:1"}) {
    Request request = Asking("/status");
    request.hosts = {host};
    EXPECT_EQ(To(request).status, 200) << host;
  }
  for (const char* host :
       {"", "evil.example.org", "localhost.evil.org", "[::1", "[::1]x", "127.0.0.1.evil.org", "::1"}) {
    Request request = Asking("/status");
    request.hosts = {host};
    EXPECT_EQ(To(request).status, 421) << host;
  }
}

TEST_F(AnswersTest, NamesOneHost) {
  Request request = Asking("/status");
  request.hosts = {};
  EXPECT_EQ(To(request).status, 400);
  request.hosts = {"localhost", "localhost"};
  EXPECT_EQ(To(request).status, 400);
  request.hosts = {};
  request.http_1_0 = true;
  EXPECT_EQ(To(request).status, 200);
}

TEST_F(AnswersTest, PagesOfOtherOriginsMayNotAsk) {
  Request request = Asking("/status");
  request.origins = {"http://localhost"};
  EXPECT_EQ(To(request).status, 200);
  for (const char* origin : {"http://evil.example.org", "null", "https://localhost", "http://localhost:1", ""}) {
    request.origins = {origin};
    EXPECT_EQ(To(request).status, 403) << origin;
  }
}

TEST_F(AnswersTest, WantsTheTokenOfAllButTheProbes) {
  options_.token = "secret-canary";
  Request request = Asking("/metrics");
  EXPECT_EQ(To(request).status, 401);
  for (const char* wrong : {"", "secret-canary", "Bearer", "Bearer secret-canarx", "Bearer secret-canary ",
                            "Bearer secret-canaryy", "Basic secret-canary", "bearer secret-canary"}) {
    request.authorizations = {wrong};
    EXPECT_EQ(To(request).status, 401) << wrong;
  }
  request.authorizations = {"Bearer secret-canary", "Bearer secret-canary"};
  EXPECT_EQ(To(request).status, 401);
  request.authorizations = {"Bearer secret-canary"};
  EXPECT_EQ(To(request).status, 200);
  EXPECT_THAT(To(request).body, Not(HasSubstr("canary")));
  EXPECT_EQ(To(Asking("/-/healthy")).status, 200);
  EXPECT_EQ(To(Asking("/unknown")).status, 401) << "a stranger does not learn what there is";
}

TEST_F(AnswersTest, NothingOfARequestComesBack) {
  const std::string canary = "canary-7213";
  Request request{.method = canary, .target = "/" + canary, .hosts = {canary}, .origins = {canary}};
  for (int step = 0; step < 4; ++step) {
    EXPECT_THAT(To(request).body, Not(HasSubstr(canary)));
    if (step == 0) request.hosts = {"localhost"};
    if (step == 1) request.origins = {};
    if (step == 2) request.target = "/metrics?" + canary;
  }
}

TEST_F(AnswersTest, AChangeIsWishedForByAPostThatSaysThatItIsMeant) {
  options_.may_change = true;
  Request request = Asking("/indexes/fensi/pause?reason=an+upgrade%2C%20%E5%8D%87");
  request.method = "POST";
  request.marks = {"1"};
  Answer answer = To(request);
  ASSERT_TRUE(answer.wish.has_value()) << answer.body;
  EXPECT_EQ(answer.wish->kind, Wish::Kind::kPause);
  EXPECT_EQ(answer.wish->index, "fensi");
  EXPECT_EQ(answer.wish->reason, "an upgrade, 升");
  request.target = "/indexes/fensi/resume";
  answer = To(request);
  ASSERT_TRUE(answer.wish.has_value());
  EXPECT_EQ(answer.wish->kind, Wish::Kind::kResume);
  request.target = "/-/reload";
  answer = To(request);
  ASSERT_TRUE(answer.wish.has_value());
  EXPECT_EQ(answer.wish->kind, Wish::Kind::kReload);
}

TEST_F(AnswersTest, NothingIsChangedWhereItIsNotAllowedOrNotMeantOrNotUnderstood) {
  struct Case {
    const char* why;
    std::function<void(Request*)> spoil;
    int status;
  };
  const std::vector<Case> cases = {
      {"read", [](Request* request) { request->method = "GET"; }, 405},
      {"no mark", [](Request* request) { request->marks = {}; }, 403},
      {"another mark", [](Request* request) { request->marks = {"0"}; }, 403},
      {"two marks",
       [](Request* request) {
         request->marks = {"1", "1"};
       },
       403},
      {"another page", [](Request* request) { request->origins = {"http://evil.example.org"}; }, 403},
      {"another name", [](Request* request) { request->hosts = {"evil.example.org"}; }, 421},
      {"no token", [](Request* request) { request->authorizations = {}; }, 401},
      {"no reason", [](Request* request) { request->target = "/indexes/fensi/pause"; }, 400},
      {"two", [](Request* request) { request->target = "/indexes/fensi/pause?reason=a&reason=b"; }, 400},
      {"cut", [](Request* request) { request->target = "/indexes/fensi/pause?reason=%4"; }, 400},
      {"no digits", [](Request* request) { request->target = "/indexes/fensi/pause?reason=%zz"; }, 400},
      {"a reason to resume", [](Request* request) { request->target = "/indexes/fensi/resume?reason=a"; }, 400},
      {"no index", [](Request* request) { request->target = "/indexes//pause?reason=a"; }, 404},
      {"a reload of something", [](Request* request) { request->target = "/-/reload?m.yaml"; }, 400},
      {"another verb", [](Request* request) { request->target = "/indexes/fensi/drop"; }, 404},
      {"a way in between", [](Request* request) { request->target = "/indexes/a/b/pause?reason=a"; }, 404},
  };
  options_.token = "secret-canary";
  for (const bool allowed : {true, false}) {
    options_.may_change = allowed;
    for (const Case& each : cases) {
      Request request = Asking("/indexes/fensi/pause?reason=a");
      request.method = "POST";
      request.marks = {"1"};
      request.authorizations = {"Bearer secret-canary"};
      EXPECT_EQ(To(request).status, allowed ? 200 : 403);
      EXPECT_EQ(To(request).wish.has_value(), allowed);
      each.spoil(&request);
      const Answer answer = To(request);
      EXPECT_FALSE(answer.wish.has_value()) << each.why;
      EXPECT_EQ(answer.status, allowed || each.status != 400 ? each.status : 403) << each.why;
    }
  }
}

}  // namespace
}  // namespace fensi::admin
