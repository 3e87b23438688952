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
    ". Remove hbase.replication.rpc.codec from hbase-site.xml of the region servers and from the CONFIG of the "
    "replication peer, or set it to ";
constexpr char kIoException[] = "java.io.IOException";
constexpr char kFatalException[] = "org.apache.hadoop.hbase.ipc.FatalConnectionException";
constexpr char kAccessException[] = "org.apache.hadoop.hbase.security.AccessDeniedException";
// Some hundred bytes, and what a tracer adds. A message of protobuf takes many times its bytes in memory.
constexpr size_t kMaxRequestHeaderBytes = 64 * 1024;
constexpr size_t kMaxShownBytes = 200;

Status Refused(std::string message) { return Status(StatusCode::kConfiguration, std::move(message)); }

Status NoHeader() {
  return InvalidArgument("a call has no request header that HBase writes" + std::string(kNoRegionServer));
}

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
        "the region server connects over TLS, and this capture has no certificate. Start the capture with "
        "--tls_cert_file and --tls_key_file, or set hbase.client.netty.tls.enabled to false in the CONFIG of the "
        "replication peer");
  }
  if (!preamble.starts_with(hbase::kPreambleMagic)) {
    return InvalidArgument("the client is no region server: its first bytes are '" + Escape(preamble) +
                           "', and not 'HBas'" + kNoRegionServer);
  }
  const auto version = static_cast<uint8_t>(preamble[4]);
  const auto auth = static_cast<uint8_t>(preamble[5]);
  if (version != hbase::kRpcVersion)
    return Refused("the client uses version " + std::to_string(version) +
                   " of HBase's RPC, which a capture does not support. Upgrade that client to HBase 2");
  if (auth == hbase::kAuthToken)
    return Refused(
        "the region server authenticates with a token, and a capture accepts only Kerberos. Set "
        "hbase.security.authentication to kerberos in the CONFIG of the replication peer");
  if (auth != hbase::kAuthSimple && auth != hbase::kAuthKerberos) {
    return Refused("the region server uses authentication method " + std::to_string(auth) +
                   ", and a capture accepts only simple and Kerberos. Set hbase.security.authentication to simple or "
                   "kerberos in the CONFIG of the replication peer");
  }
  if (auth == hbase::kAuthKerberos && !takes_kerberos) {
    return Refused(
        "the region server uses Kerberos, and this capture has no keytab. Start the capture with --rpc_keytab and "
        "--rpc_principal, or set \"hbase.security.authentication\" => \"simple\" in the CONFIG of the replication "
        "peer. This setting affects no other peer");
  }
  if (auth == hbase::kAuthSimple && takes_kerberos) {
    return Refused(
        "the region server uses no Kerberos, and this capture demands Kerberos (--rpc_keytab). Set "
        "hbase.security.authentication to kerberos in hbase-site.xml of the region server, and remove it from the "
        "CONFIG of the replication peer");
  }
  return Status();
}

Status CheckConnectionHeader(std::string_view bytes, std::string* about) {
  proto::hbase::ConnectionHeader header;
  if (!hbase::ParseMessage(bytes, &header))
    return InvalidArgument("the capture cannot decode the connection header of the client" +
                           std::string(kNoRegionServer));
  if (header.service_name() != kService && header.service_name() != kMasterService) {
    return Refused("the client uses the capture as an HBase cluster: it requests RPC service " +
                   ShownName(header.service_name()) +
                   ", which a capture does not have. Correct hbase.zookeeper.quorum and zookeeper.znode.parent of the "
                   "client");
  }
  if (header.has_rpc_crypto_cipher_transformation()) {
    return Refused(
        "the region server requests AES encryption of RPC, which a capture does not support. Set "
        "hbase.rpc.crypto.encryption.aes.enabled to false in the CONFIG of the replication peer. "
        "hbase.rpc.protection=privacy still encrypts the connection");
  }
  if (header.has_cell_block_compressor_class()) {
    return Refused("the region server compresses cells with " + ShownName(header.cell_block_compressor_class()) +
                   ", which a capture does not support. Remove hbase.client.rpc.compressor from hbase-site.xml of the "
                   "region servers");
  }
  if (header.service_name() == kService) FENSI_RETURN_IF_ERROR(CheckCodec(header.cell_block_codec_class()));
  *about = "HBase " + ShownName(header.version_info().version()) + ", user " +
           ShownName(header.user_info().effective_user());
  return Status();
}

Status ParseCallFrame(std::string_view frame, CallFrame* call) {
  std::string_view piece;
  proto::hbase::RequestHeader header;
  if (!hbase::TakeDelimited(&frame, &piece)) return NoHeader();
  if (piece.size() > kMaxRequestHeaderBytes)
    return InvalidArgument("the request header of a call has " + std::to_string(piece.size()) +
                           " bytes, and the limit is " + std::to_string(kMaxRequestHeaderBytes) + " bytes" +
                           kNoRegionServer);
  if (!hbase::ParseMessage(piece, &header)) return NoHeader();
  call->call_id = header.call_id();
  call->method = header.method_name();
  call->timeout = std::chrono::milliseconds(header.timeout());
  call->request = frame.substr(0, 0);
  if (header.request_param() && !hbase::TakeDelimited(&frame, &call->request))
    return InvalidArgument("a call ends before the end of its request" + std::string(kNoRegionServer));
  if (frame.size() != header.cell_block_meta().length()) {
    return InvalidArgument("a call has " + std::to_string(frame.size()) + " bytes of cells, and its header says " +
                           std::to_string(header.cell_block_meta().length()) + " bytes" + kNoRegionServer);
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
