// The framing of every message of HBase's RPC, for clients and servers: lengths, and delimited pieces.
//
//   frame     := int32 n (big-endian), then n bytes: pieces, then a cell block
//   delimited := a protobuf varint of the length, then that many bytes
//
// Pure. Any bytes may be parsed.
#pragma once

#include <google/protobuf/message_lite.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace fensi::hbase {

inline constexpr std::string_view kPreambleMagic = "HBas";
inline constexpr uint8_t kRpcVersion = 0;
inline constexpr uint8_t kAuthSimple = 0x50;
inline constexpr uint8_t kAuthKerberos = 0x51;
inline constexpr uint8_t kAuthToken = 0x52;
/// HBase's -1: an answer that ends every call of its connection.
inline constexpr uint32_t kNoCall = std::numeric_limits<uint32_t>::max();
/// The first four bytes of an answer within SASL's handshake.
inline constexpr uint32_t kSaslSuccess = 0, kSaslError = 1;

inline constexpr char kCodecWithTags[] = "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags";
inline constexpr char kCodecWithoutTags[] = "org.apache.hadoop.hbase.codec.KeyValueCodec";

std::string BigEndian32(uint32_t number);
/// The first bytes of a connection.
std::string Preamble(uint8_t auth);

/// The body, preceded by its length.
std::string Framed(const std::string& body);

/// The message, or the bytes of one, preceded by their length as a varint.
std::string Delimited(const google::protobuf::MessageLite& message);
std::string DelimitedBytes(const std::string& message);

/// Takes a delimited piece from the front of `bytes`. False: there is none.
bool TakeDelimited(std::string_view* bytes, std::string_view* piece);

/// False: the bytes are no such message.
bool ParseMessage(std::string_view bytes, google::protobuf::MessageLite* message);

}  // namespace fensi::hbase
