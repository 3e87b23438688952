#include "store/hbase/wire/http_transport.h"

#include <gmock/gmock.h>
#include <thrift/TConfiguration.h>

#include "store/hbase/wire/gateway_socket.h"
#include "tests/store/hbase/scripted_bytes.h"

namespace fensi::store {
namespace {

using apache::thrift::TConfiguration;
using apache::thrift::transport::TTransportException;
using ::testing::HasSubstr;

constexpr int kMostBytes = 1 << 20;

/// What one call of "call" brings from a server that says this.
struct Exchange {
  explicit Exchange(const std::string& answers, size_t slice = SIZE_MAX)
      : bytes(std::make_shared<ScriptedBytes>(answers, slice)),
        http(bytes, "gw:9090", "/thrift", std::make_shared<TConfiguration>(kMostBytes)) {}

  void Call() {
    http.write(reinterpret_cast<const uint8_t*>("call"), 4);
    http.flush();
  }
  std::string Read(size_t count) {
    std::string text(count, '\0');
    http.readAll(reinterpret_cast<uint8_t*>(text.data()), static_cast<uint32_t>(count));
    return text;
  }
  /// How a call ends that is refused.
  Status Refusal() {
    Call();
    try {
      Read(1);
    } catch (const ConnectionRefused& refused) {
      return refused.status();
    }
    return Status();
  }

  std::shared_ptr<ScriptedBytes> bytes;
  HttpTransport http;
};

TEST(HttpTransport, SendsACallAsOneRequestWithItsLength) {
  Exchange exchange("");
  exchange.Call();
  EXPECT_EQ(exchange.bytes->written(),
            "POST /thrift HTTP/1.1\r\nHost: gw:9090\r\nContent-Type: application/x-thrift\r\n"
            "Accept: application/x-thrift\r\nContent-Length: 4\r\n\r\ncall");
}

TEST(HttpTransport, ReadsAnswersOfEveryFormInAnyPieces) {
  const std::string of_length = "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 11\r\n\r\nhello again";
  const std::string of_chunks =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n6\r\n again\r\n0\r\nTrailer: t\r\n\r\n";
  for (const size_t slice : {size_t{1}, size_t{7}, size_t{10'000}}) {
    for (const std::string& form : {of_length, of_chunks}) {
      SCOPED_TRACE(form + " by " + std::to_string(slice));
      Exchange exchange("", slice);
      for (int i = 0; i < 3; ++i) {
        exchange.bytes->Answer(form);
        exchange.Call();
        const std::string begin = exchange.Read(2);
        EXPECT_EQ(begin + exchange.Read(9), "hello again");
        EXPECT_FALSE(exchange.http.closes());
      }
    }
  }
}

TEST(HttpTransport, HearsThatAConnectionIsToBeClosed) {
  for (const char* head : {"HTTP/1.1 200 OK\r\nConnection: close\r\n", "HTTP/1.0 200 OK\r\n"}) {
    Exchange exchange(std::string(head) + "Content-Length: 1\r\n\r\na");
    exchange.Call();
    EXPECT_EQ(exchange.Read(1), "a");
    EXPECT_TRUE(exchange.http.closes()) << head;
  }
  Exchange more("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc");
  more.Call();
  more.Read(1);
  EXPECT_TRUE(more.http.closes()) << "bytes that nobody asked for belong to no further answer";
}

TEST(HttpTransport, TellsByTheStatusWhatAPersonCanDo) {
  struct Case {
    int status;
    StatusCode code;
    const char* words;
  };
  const Case cases[] = {
      {401, StatusCode::kConfiguration, "hbase.thrift.security.qop=auth-conf"},
      {403, StatusCode::kPermission, "HTTP 403 RedactableText"},
      {404, StatusCode::kConfiguration, "no Thrift2 gateway in HTTP mode answers"},
      {302, StatusCode::kConfiguration, "HTTP 302"},
      {429, StatusCode::kUnavailable, "HTTP 429"},
      {500, StatusCode::kUnavailable, "HTTP 500"},
      {503, StatusCode::kUnavailable, "HTTP 503"},
  };
  for (const Case& one : cases) {
    Exchange exchange("HTTP/1.1 " + std::to_string(one.status) + " RedactableText\r\nContent-Length: 2\r\n\r\nno");
    const Status status = exchange.Refusal();
    EXPECT_EQ(status.code(), one.code) << one.status;
    EXPECT_THAT(status.message(), HasSubstr(one.words));
  }
}

TEST(HttpTransport, RefusesWhatIsNoHttp) {
  for (const char* bytes : {"\x80\x01\x01\x02 a reply of Thrift", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}) {
    const Status status = Exchange(bytes).Refusal();
    EXPECT_EQ(status.code(), StatusCode::kConfiguration) << bytes;
    EXPECT_THAT(status.message(), HasSubstr("does not speak HTTP"));
  }
  const std::string headers(1 << 20, 'h');
  Exchange endless("HTTP/1.1 200 OK\r\n" + headers);
  EXPECT_EQ(endless.Refusal().code(), StatusCode::kConfiguration) << "headers without end";
  EXPECT_LT(endless.bytes->was_read(), size_t{200'000});
}

TEST(HttpTransport, ReadsNoAnswerThatIsLargerThanItMayBe) {
  for (const char* head : {"Content-Length: 1048577\r\n\r\n", "Content-Length: 18446744073709551615\r\n\r\n",
                           "Transfer-Encoding: chunked\r\n\r\n7fffffff\r\n"}) {
    Exchange exchange("HTTP/1.1 200 OK\r\n" + std::string(head) + std::string(3 << 20, 'x'));
    exchange.Call();
    try {
      exchange.Read(1);
      FAIL() << head;
    } catch (const TTransportException& fault) {
      EXPECT_THAT(fault.what(), HasSubstr("MaxMessageSize"));
    }
    EXPECT_LT(exchange.bytes->was_read(), size_t{kMostBytes} + 100'000);
  }
}

TEST(HttpTransport, OfHalfAnAnswerIsAConnectionThatWasClosed) {
  for (const char* half : {"", "HTTP/1.1 20", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
                           "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"}) {
    Exchange exchange(half);
    exchange.Call();
    EXPECT_THROW(exchange.Read(1), TTransportException) << half;
  }
}

}  // namespace
}  // namespace fensi::store
