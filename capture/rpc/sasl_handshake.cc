#include "capture/rpc/sasl_handshake.h"

#include <utility>

#include "base/bytes.h"
#include "capture/rpc/frame.h"

namespace fensi::capture {
namespace {

void Deny(Link* link, const Status& reason) {
  link->RefuseWith(SaslRefusal(reason.message()), reason, Severity::kWarning);
}

}  // namespace

void SaslHandshake::Begin() {
  session_ = context_->kerberos->Begin();
  ReadLength();
}

void SaslHandshake::ReadLength() {
  link_->ExplainEnd(session_->CauseOfEnd());
  const auto bytes = std::make_shared<std::string>();
  link_->Read(bytes, 4, [this, bytes] { ReadToken(ReadBigEndian32(*bytes)); });
}

void SaslHandshake::ReadToken(uint32_t length) {
  if (length > kMostTokenBytes || ++tokens_ > kMostTokens) {
    return Deny(link_, Status(StatusCode::kInvalidArgument,
                              "the client sent token " + std::to_string(tokens_) + " of its handshake with " +
                                  std::to_string(length) + " bytes, which is no token of Kerberos" + kNoRegionServer));
  }
  const auto bytes = std::make_shared<std::string>();
  if (length == 0) return Take(*bytes);
  link_->Read(bytes, length, [this, bytes] { Take(*bytes); });
}

void SaslHandshake::Take(const std::string& token) {
  const Result<std::string> answer = session_->Step(token);
  if (!answer.ok()) return Deny(link_, answer.status());
  if (session_->done()) return End();
  link_->Send(SaslReply(*answer));
  ReadLength();
}

void SaslHandshake::End() {
  const Qop qop = session_->qop();
  link_->BecomeReady(ShownName(session_->principal()) + ", " + std::string(QopName(qop)));
  if (qop != Qop::kAuth) link_->Seal(std::move(session_));
  session_.reset();
  done_();
}

}  // namespace fensi::capture
