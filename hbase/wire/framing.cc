#include "hbase/wire/framing.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>

namespace fensi::hbase {

using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;

std::string BigEndian32(uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(number >> shift & 0xff));
  return bytes;
}

std::string Preamble(uint8_t auth) {
  return std::string(kPreambleMagic) + static_cast<char>(kRpcVersion) + static_cast<char>(auth);
}

std::string Framed(const std::string& body) { return BigEndian32(static_cast<uint32_t>(body.size())) + body; }

std::string DelimitedBytes(const std::string& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  CodedOutputStream out(&stream);
  out.WriteVarint32(static_cast<uint32_t>(message.size()));
  out.WriteString(message);
  out.Trim();
  return bytes;
}

std::string Delimited(const google::protobuf::MessageLite& message) {
  return DelimitedBytes(message.SerializeAsString());
}

bool TakeDelimited(std::string_view* bytes, std::string_view* piece) {
  const size_t window = std::min<size_t>(bytes->size(), 5);
  CodedInputStream in(reinterpret_cast<const uint8_t*>(bytes->data()), static_cast<int>(window));
  uint32_t length = 0;
  if (!in.ReadVarint32(&length)) return false;
  const auto used = static_cast<size_t>(in.CurrentPosition());
  if (length > bytes->size() - used) return false;
  *piece = bytes->substr(used, length);
  bytes->remove_prefix(used + length);
  return true;
}

bool ParseMessage(std::string_view bytes, google::protobuf::MessageLite* message) {
  return bytes.size() <= static_cast<size_t>(std::numeric_limits<int>::max()) &&
         message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace fensi::hbase
