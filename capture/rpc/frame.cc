#include "capture/rpc/frame.h"

#include <cstdint>

#include "base/bytes.h"
#include "hbase/wire/framing.h"
#include "proto/hbase_replication.pb.h"

namespace fensi::capture {
namespace {

using hbase::BigEndian32;
using hbase::Delimited;
using hbase::DelimitedBytes;

constexpr char kService[] = "AdminService";
constexpr char kMasterService[] = "MasterService";
constexpr char kCodecRemedy[] =
    ": remove hbase.replication.rpc.codec from hbase-site.xml of the region servers and from the peer's CONFIG, or "
    "set it to ";
constexpr char kNoRegionServer[] = ". If no region server of HBase 2 runs there, leave its address out of --allow_from";
constexpr char kIoException[] = "java.io.IOException";
constexpr char kFatalException[] = "org.apache.hadoop.hbase.ipc.FatalConnectionException";
constexpr char kAccessException[] = "org.apache.hadoop.hbase.security.AccessDeniedException";
// Some hundred bytes, and what a tracer adds. A message of protobuf takes many times its bytes in memory.
constexpr size_t kMaxRequestHeaderBytes = 64 * 1024;
constexpr size_t kMaxShownBytes = 200;

Status Bad(std::string message) { return Status(StatusCode::kInvalidArgument, std::move(message)); }
Status Refused(std::string message) { return Status(StatusCode::kConfiguration, std::move(message)); }

std::string Reply(uint32_t call_id, const char* exception, const std::string& message) {
  proto::hbase::ResponseHeader header;
  header.set_call_id(call_id);
  header.mutable_exception()->set_exception_class_name(exception);
  header.mutable_exception()->set_stack_trace(std::string(exception) + ": fensi capture: " + message);
  return Framed(Delimited(header));
}

/// Without their tags cells do not say when they expire and who may see them, and nobody would notice.
Status CheckCodec(const std::string& codec) {
  if (codec == hbase::kCodecWithTags) return Status();  // the default of hbase.replication.rpc.codec
  const std::string why = codec == hbase::kCodecWithoutTags
                              ? " leaves out the tags of cells, which hold their time to live and visibility labels"
                              : " is not supported";
  return Refused("the cell codec '" + ShownName(codec) + "'" + why + kCodecRemedy + hbase::kCodecWithTags);
}

}  // namespace

std::string ShownName(std::string_view name) { return EscapeSome(name, kMaxShownBytes); }

std::string Framed(const std::string& body) { return hbase::Framed(body); }

std::string SaslReply(const std::string& token) { return BigEndian32(hbase::kSaslSuccess) + Framed(token); }

std::string SaslRefusal(const std::string& message) {
  return BigEndian32(hbase::kSaslError) + Framed(kAccessException) + Framed("fensi capture: " + message);
}

bool SpeaksSasl(std::string_view preamble) {
  const auto auth = static_cast<uint8_t>(preamble[5]);
  return preamble.starts_with(hbase::kPreambleMagic) && (auth == hbase::kAuthKerberos || auth == hbase::kAuthToken);
}

Status CheckPreamble(std::string_view preamble, bool takes_kerberos) {
  if (preamble.starts_with("\x16\x03")) {
    return Refused(
        "the region server speaks TLS, and this capture has no certificate: give it one (--tls_cert_file, "
        "--tls_key_file), or set hbase.client.netty.tls.enabled to false in the peer's CONFIG");
  }
  if (!preamble.starts_with(hbase::kPreambleMagic)) {
    return Bad("the client is no region server: it began with " + Escape(preamble) +
               ". Leave its address out of --allow_from");
  }
  const auto version = static_cast<uint8_t>(preamble[4]);
  const auto auth = static_cast<uint8_t>(preamble[5]);
  if (version != hbase::kRpcVersion)
    return Refused("unsupported RPC version " + std::to_string(version) + ": upgrade that client to HBase 2");
  if (auth == hbase::kAuthToken)
    return Refused(
        "the region server authenticates by a token, and a capture takes Kerberos only: set "
        "hbase.security.authentication to kerberos in the peer's CONFIG");
  if (auth != hbase::kAuthSimple && auth != hbase::kAuthKerberos) {
    return Refused("the region server uses authentication method " + std::to_string(auth) +
                   ", and a capture takes only simple and Kerberos: set hbase.security.authentication to simple or "
                   "kerberos in the peer's CONFIG");
  }
  if (auth == hbase::kAuthKerberos && !takes_kerberos) {
    return Refused(
        "the region server wants Kerberos (hbase.security.authentication), and this capture has no keytab: give it "
        "one (--rpc_keytab, --rpc_principal), or set \"hbase.security.authentication\" => \"simple\" in the peer's "
        "CONFIG, which counts for this peer alone");
  }
  if (auth == hbase::kAuthSimple && takes_kerberos) {
    return Refused(
        "the region server comes without Kerberos, and this capture demands it (--rpc_keytab): its "
        "hbase.security.authentication must be kerberos, and the peer's CONFIG must not set it to simple");
  }
  return Status();
}

Status CheckConnectionHeader(std::string_view bytes, std::string* about) {
  proto::hbase::ConnectionHeader header;
  if (!hbase::ParseMessage(bytes, &header))
    return Bad("the connection header cannot be decoded" + std::string(kNoRegionServer));
  if (header.service_name() != kService && header.service_name() != kMasterService) {
    return Refused("this client asks for RPC service " + ShownName(header.service_name()) +
                   ", which a capture does not have: it takes the capture for a cluster. Check its "
                   "hbase.zookeeper.quorum and zookeeper.znode.parent");
  }
  if (header.has_rpc_crypto_cipher_transformation()) {
    return Refused(
        "the region server requests AES encryption of RPC, which a capture does not support. Set "
        "hbase.rpc.crypto.encryption.aes.enabled to false in the peer's CONFIG. hbase.rpc.protection=privacy still "
        "encrypts the connection");
  }
  if (header.has_cell_block_compressor_class()) {
    return Refused("cells compressed by " + ShownName(header.cell_block_compressor_class()) +
                   " are not supported: remove hbase.client.rpc.compressor from the region servers' configuration");
  }
  if (header.service_name() == kService) FENSI_RETURN_IF_ERROR(CheckCodec(header.cell_block_codec_class()));
  *about = "HBase " + ShownName(header.version_info().version()) + ", user " +
           ShownName(header.user_info().effective_user());
  return Status();
}

Status ParseCallFrame(std::string_view frame, CallFrame* call) {
  std::string_view piece;
  proto::hbase::RequestHeader header;
  if (!hbase::TakeDelimited(&frame, &piece)) return Bad("the frame has no request header");
  if (piece.size() > kMaxRequestHeaderBytes)
    return Bad("the request header has " + std::to_string(piece.size()) + " bytes, the limit is " +
               std::to_string(kMaxRequestHeaderBytes));
  if (!hbase::ParseMessage(piece, &header)) return Bad("the frame has no request header");
  call->call_id = header.call_id();
  call->method = header.method_name();
  call->timeout = std::chrono::milliseconds(header.timeout());
  call->request = frame.substr(0, 0);
  if (header.request_param() && !hbase::TakeDelimited(&frame, &call->request))
    return Bad("the frame ends in its request");
  if (frame.size() != header.cell_block_meta().length()) {
    return Bad("the frame has " + std::to_string(frame.size()) + " bytes of cells, its header says " +
               std::to_string(header.cell_block_meta().length()));
  }
  call->cells = frame;
  return Status();
}

std::string SuccessReply(uint32_t call_id, const std::string& response) {
  proto::hbase::ResponseHeader header;
  header.set_call_id(call_id);
  return Framed(Delimited(header) + DelimitedBytes(response));
}

std::string ExceptionReply(uint32_t call_id, const std::string& message) {
  return Reply(call_id, kIoException, message);
}

std::string FatalReply(const std::string& message) { return Reply(hbase::kNoCall, kFatalException, message); }

}  // namespace fensi::capture
