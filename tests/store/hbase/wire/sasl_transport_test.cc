#include "store/hbase/wire/sasl_transport.h"

#include <gmock/gmock.h>
#include <thrift/TConfiguration.h>

#include <algorithm>

#include "store/hbase/wire/gateway_socket.h"
#include "tests/store/hbase/scripted_bytes.h"

namespace fensi::store {
namespace {

using apache::thrift::TConfiguration;
using apache::thrift::transport::TTransportException;
using ::testing::HasSubstr;

std::string Length(size_t length) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(length >> shift));
  return bytes;
}

std::string Message(int status, const std::string& payload) {
  return static_cast<char>(status) + Length(payload.size()) + payload;
}

enum : int { kStart = 1, kOk = 2, kBad = 3, kError = 4, kComplete = 5 };

/// Answers "one" with "two" and is done; what it wraps is turned round.
class FakeSession final : public SaslSession {
 public:
  explicit FakeSession(bool wraps) : wraps_(wraps) {}

  std::string mechanism() const override { return "FAKE"; }
  Result<std::string> Start() override { return std::string("hello"); }
  Result<std::string> Step(const std::string& challenge) override {
    if (challenge != "one") return Status(StatusCode::kPermission, "that is not \"one\"");
    done_ = true;
    return std::string("two");
  }
  bool done() const override { return done_; }
  bool wraps() const override { return wraps_; }
  size_t most_plain_bytes() const override { return 4; }
  size_t most_wrapped_bytes() const override { return 8; }
  Result<std::string_view> Wrap(std::string_view plain) override {
    kept_ = Length(plain.size()) + std::string(plain.rbegin(), plain.rend());
    return std::string_view(kept_);
  }
  Result<std::string_view> Unwrap(std::string_view wrapped) override {
    if (wrapped.find('?') != std::string_view::npos) return Status(StatusCode::kPermission, "it was changed");
    kept_ = std::string(wrapped.rbegin(), wrapped.rend() - 4);
    return std::string_view(kept_);
  }

 private:
  const bool wraps_;
  bool done_ = false;
  std::string kept_;
};

const std::string kAgreed = Message(kOk, "one") + Message(kComplete, "");

struct Side {
  explicit Side(const std::string& answers, bool wraps = true)
      : bytes(std::make_shared<ScriptedBytes>(answers, 3)),
        sasl(bytes, std::make_shared<FakeSession>(wraps), std::make_shared<TConfiguration>(1 << 20)) {}

  void Negotiate() {
    sasl.Negotiate([](const std::shared_ptr<SaslSession>& session) { return session->Start(); });
  }
  /// How a negotiation ends that fails.
  Status Refusal() {
    try {
      Negotiate();
    } catch (const ConnectionRefused& refused) {
      return refused.status();
    }
    return Status();
  }
  void Write(const std::string& text) {
    sasl.write(reinterpret_cast<const uint8_t*>(text.data()), static_cast<uint32_t>(text.size()));
  }
  std::string Read(size_t count) {
    std::string text(count, '\0');
    sasl.readAll(reinterpret_cast<uint8_t*>(text.data()), static_cast<uint32_t>(count));
    return text;
  }

  std::shared_ptr<ScriptedBytes> bytes;
  SaslTransport sasl;
};

const std::string kSaid = Message(kStart, "FAKE") + Message(kOk, "hello") + Message(kComplete, "two");

TEST(SaslTransport, NegotiatesAsThriftDoes) {
  Side side(kAgreed);
  EXPECT_FALSE(side.sasl.isOpen());
  side.Negotiate();
  EXPECT_TRUE(side.sasl.isOpen());
  EXPECT_EQ(side.bytes->written(), kSaid);
}

TEST(SaslTransport, TakesAServerThatIsDoneWithItsLastChallenge) {
  Side side(Message(kComplete, "one"));
  side.Negotiate();
  EXPECT_EQ(side.bytes->written(), Message(kStart, "FAKE") + Message(kOk, "hello"));
}

TEST(SaslTransport, CutsWhatIsWrittenIntoWrappingsAndPutsTogetherWhatComes) {
  Side side(kAgreed + Length(3) + "cba" + Length(0) + Length(5) + "hgfed");
  side.Negotiate();
  side.Write("ab");
  side.Write("cdefghi");
  side.sasl.flush();
  side.sasl.flush();
  EXPECT_EQ(side.bytes->written(), kSaid + Length(4) + "dcba" + Length(4) + "hgfe" + Length(1) + "i");
  const std::string begin = side.Read(5);
  EXPECT_EQ(begin + side.Read(3), "abcdefgh");
}

TEST(SaslTransport, OfTheWeakestWayHasFramesThatAreNotWrapped) {
  Side side(kAgreed + Length(9) + "plain ans" + Length(3) + "wer", /*wraps=*/false);
  side.Negotiate();
  side.Write("a call");
  side.sasl.flush();
  EXPECT_EQ(side.bytes->written(), kSaid + Length(6) + "a call");
  EXPECT_EQ(side.Read(12), "plain answer");
}

TEST(SaslTransport, TellsInWhoseWordsItIsRefused) {
  struct Case {
    std::string answers;
    StatusCode code;
    const char* words;
  };
  const Case cases[] = {
      {Message(kBad, "no such mechanism\x1b[2J"), StatusCode::kPermission, "refuses us: no such mechanism\\x1B"},
      {Message(kOk, "one") + Message(kError, "not you"), StatusCode::kPermission, "refuses us: not you"},
      {Message(kOk, "other"), StatusCode::kPermission, "that is not \"one\""},
      {"HTTP/1.1 400 Bad Request", StatusCode::kConfiguration, "is no message of a Kerberos login"},
      {"\x80\x01\x01\x02 a reply of Thrift", StatusCode::kConfiguration, "is no message of a Kerberos login"},
      {std::string(1, kOk) + "\x7f\xff\xff\xff", StatusCode::kConfiguration, "is no message of a Kerberos login"},
  };
  for (const Case& one : cases) {
    const Status status = Side(one.answers).Refusal();
    EXPECT_EQ(status.code(), one.code) << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr(one.words));
  }
}

TEST(SaslTransport, OfHalfANegotiationIsAConnectionThatWasClosed) {
  for (size_t half = 0; half < kAgreed.size(); ++half) {
    Side side(kAgreed.substr(0, half));
    EXPECT_THROW(side.Negotiate(), TTransportException) << half;
  }
}

TEST(SaslTransport, TakesNoMemoryForAFrameThatIsTooLargeAndSaysSo) {
  for (const bool wraps : {true, false}) {
    for (const size_t length : {wraps ? size_t{9} : size_t{(1 << 20) + 1}, size_t{0xffffffff}}) {
      Side side(kAgreed + Length(length) + "abc", wraps);
      side.Negotiate();
      try {
        side.Read(1);
        FAIL() << length;
      } catch (const TTransportException& fault) {
        EXPECT_THAT(fault.what(), HasSubstr("MaxMessageSize: a frame of " + std::to_string(length)));
      }
    }
  }
}

TEST(SaslTransport, OfHalfAFrameIsAConnectionThatWasClosed) {
  const std::string frame = Length(5) + "hello";
  for (size_t half = 0; half < frame.size(); ++half) {
    Side side(kAgreed + frame.substr(0, half), /*wraps=*/false);
    side.Negotiate();
    EXPECT_THROW(side.Read(5), TTransportException) << half;
  }
}

TEST(SaslTransport, NeverGivesOutWhatCannotBeUnwrapped) {
  Side side(kAgreed + Length(2) + "a?");
  side.Negotiate();
  EXPECT_THROW(side.Read(1), ConnectionRefused);
}

}  // namespace
}  // namespace fensi::store
