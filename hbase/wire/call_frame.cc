#include "hbase/wire/call_frame.h"

#include <google/protobuf/io/coded_stream.h>

#include <algorithm>

#include "hbase/wire/framing.h"
#include "proto/hbase_rpc.pb.h"

namespace fensi::hbase {
namespace {

using google::protobuf::io::CodedOutputStream;

constexpr size_t kFrameLengthBytes = 4;
/// A response header has some hundred bytes, and with an exception a stack trace.
constexpr size_t kMostHeaderBytes = 4 << 20;

uint8_t* WriteDelimited(const google::protobuf::MessageLite& message, size_t bytes, uint8_t* to) {
  to = CodedOutputStream::WriteVarint32ToArray(static_cast<uint32_t>(bytes), to);
  return message.SerializeWithCachedSizesToArray(to);
}

size_t DelimitedSize(size_t bytes) { return CodedOutputStream::VarintSize32(static_cast<uint32_t>(bytes)) + bytes; }

proto::hbase::RequestHeader HeaderOf(const CallHead& head, size_t cell_bytes) {
  proto::hbase::RequestHeader header;
  header.set_call_id(head.id);
  header.set_method_name(head.method);
  header.set_request_param(true);
  if (head.timeout.count() > 0)
    header.set_timeout(static_cast<uint32_t>(std::min<int64_t>(head.timeout.count(), INT32_MAX)));
  if (head.priority >= 0) header.set_priority(static_cast<uint32_t>(head.priority));
  if (cell_bytes > 0) header.mutable_cell_block_meta()->set_length(static_cast<uint32_t>(cell_bytes));
  return header;
}

RemoteError ErrorFrom(const proto::hbase::ExceptionResponse& response) {
  RemoteError error;
  error.exception = response.exception_class_name();
  error.message = FirstLine(response.stack_trace(), error.exception);
  error.do_not_retry = response.do_not_retry();
  error.overloaded = response.server_overloaded();
  return error;
}

Status Malformed(const char* why) {
  return InvalidArgument(std::string("malformed answer: ") + why +
                         ". Check that a server of HBase listens at this address");
}

Status TakeHeader(std::string_view* frame, proto::hbase::ResponseHeader* header, AnswerFrame* answer) {
  std::string_view piece;
  if (!TakeDelimited(frame, &piece) || piece.size() > kMostHeaderBytes || !ParseMessage(piece, header) ||
      !header->has_call_id()) {
    return Malformed("the header is missing");
  }
  *answer = AnswerFrame{.call_id = header->call_id()};
  if (header->has_exception()) answer->error = ErrorFrom(header->exception());
  return {};
}

}  // namespace

std::string BuildCall(const CallHead& head, const google::protobuf::MessageLite& request, size_t cell_bytes,
                      const std::function<void(char*)>& write_cells) {
  const proto::hbase::RequestHeader header = HeaderOf(head, cell_bytes);
  const size_t header_bytes = header.ByteSizeLong(), request_bytes = request.ByteSizeLong();
  const size_t body = DelimitedSize(header_bytes) + DelimitedSize(request_bytes) + cell_bytes;
  std::string frame(kFrameLengthBytes + body, '\0');
  const std::string length = BigEndian32(static_cast<uint32_t>(body));
  std::copy(length.begin(), length.end(), frame.begin());
  auto* to = reinterpret_cast<uint8_t*>(frame.data()) + kFrameLengthBytes;
  to = WriteDelimited(header, header_bytes, to);
  to = WriteDelimited(request, request_bytes, to);
  if (cell_bytes > 0) write_cells(reinterpret_cast<char*>(to));
  return frame;
}

Status ParseAnswer(std::string_view frame, AnswerFrame* answer) {
  proto::hbase::ResponseHeader header;
  FENSI_RETURN_IF_ERROR(TakeHeader(&frame, &header, answer));
  if (answer->error) return {};
  if (!TakeDelimited(&frame, &answer->message)) return Malformed("the message is cut off");
  if (frame.size() != header.cell_block_meta().length()) {
    return Malformed("the cells do not have the length of the header");
  }
  answer->cells = frame;
  return {};
}

Status ParseAnswerBegin(std::string_view begin, AnswerFrame* answer) {
  proto::hbase::ResponseHeader header;
  return TakeHeader(&begin, &header, answer);
}

std::string FirstLine(std::string_view trace, std::string_view exception) {
  std::string_view line = trace.substr(0, std::min(trace.find('\n'), trace.size()));
  if (line.starts_with(exception)) line.remove_prefix(exception.size());
  if (line.starts_with(": ")) line.remove_prefix(2);
  return std::string(line);
}

std::string ConnectionHeaderBytes(const std::string& user, const std::string& service) {
  proto::hbase::ConnectionHeader header;
  header.mutable_user_info()->set_effective_user(user);
  header.set_service_name(service);
  header.set_cell_block_codec_class(kCodecWithTags);
  // From 1.2 on a server ends a batch of gets that becomes too large.
  proto::hbase::VersionInfo* version = header.mutable_version_info();
  version->set_version("2.4.0");
  version->set_url("fensi");
  version->set_revision("0");
  version->set_user("fensi");
  version->set_date("0");
  version->set_src_checksum("0");
  version->set_version_major(2);
  version->set_version_minor(4);
  return Framed(header.SerializeAsString());
}

}  // namespace fensi::hbase
