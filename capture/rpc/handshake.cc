#include "capture/rpc/handshake.h"

#include <memory>

#include "base/bytes.h"
#include "capture/rpc/frame.h"

namespace fensi::capture {
namespace {

using boost::system::error_code;

Status PlainToTls() {
  return Status(
      StatusCode::kConfiguration,
      "the region server speaks plain RPC, and this capture takes TLS only (--tls_cert_file): the peer's CONFIG "
      "needs hbase.client.netty.tls.enabled=true and a truststore ('fensi capture --plan' prints it)");
}

}  // namespace

void Handshake::Begin() {
  const bool tls = context_->tls != nullptr;
  link_->Expect(context_->limits.handshake_timeout,
                std::string(tls ? "a TLS handshake, " : "") + "a preamble and a connection header in time");
  if (!tls) return ReadPreamble();
  link_->stream().Sniff([this, link = link_->shared_from_this()](const error_code& error, bool begins_as_tls) {
    if (!link->open()) return;
    if (error) return link->Close();
    begins_as_tls ? Shake() : ReadPreamble();
  });
}

void Handshake::Shake() {
  link_->stream().Handshake(context_->tls, [this, link = link_->shared_from_this()](const error_code& error) {
    if (!link->open()) return;
    error ? link->Break(error) : ReadPreamble();
  });
}

void Handshake::ReadPreamble() {
  const auto bytes = std::make_shared<std::string>();
  link_->Read(bytes, kPreambleBytes, [this, bytes] { TakePreamble(*bytes); });
}

void Handshake::TakePreamble(std::string_view preamble) {
  Status status = CheckPreamble(preamble, context_->kerberos != nullptr);
  if (status.ok() && context_->tls != nullptr && !link_->stream().is_tls()) status = PlainToTls();
  if (!status.ok() && SpeaksSasl(preamble)) {
    return link_->RefuseWith(SaslRefusal(status.message()), status, Severity::kWarning);
  }
  if (!status.ok()) return link_->Refuse(status, Severity::kWarning);
  context_->kerberos == nullptr ? ReadHeaderLength() : sasl_.Begin();
}

void Handshake::EndSasl() {
  if (link_->seal() == nullptr) return ReadHeaderLength();
  wants_header_ = true;
  done_();
}

void Handshake::ReadHeaderLength() {
  const auto bytes = std::make_shared<std::string>();
  link_->Read(bytes, 4, [this, bytes] { ReadHeader(ReadBigEndian32(*bytes)); });
}

void Handshake::ReadHeader(uint32_t length) {
  if (length > kMaxConnectionHeaderBytes) {
    return link_->Refuse(
        Status(StatusCode::kInvalidArgument, "a connection header of " + std::to_string(length) + " bytes is none"));
  }
  const auto bytes = std::make_shared<std::string>();
  link_->Read(bytes, length, [this, bytes] {
    TakeHeader(*bytes);
    if (!link_->open() || link_->refused()) return;
    link_->Calm();
    done_();
  });
}

void Handshake::TakeHeader(std::string_view header) {
  wants_header_ = false;
  std::string about;
  const Status status = header.size() > kMaxConnectionHeaderBytes
                            ? Status(StatusCode::kInvalidArgument, "the connection header is none")
                            : CheckConnectionHeader(header, &about);
  if (!status.ok()) return link_->Refuse(status);
  if (!link_->ready()) link_->BecomeReady(about);
}

}  // namespace fensi::capture
