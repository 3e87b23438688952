// Request to and from proto::ChangeEvent, the form of messages in a topic of requests. Pure, any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "consumer/codec/request.h"

namespace fensi::consumer {

/// Version of proto::ChangeEvent that carries requests: a reader of change streams that knows none refuses it.
inline constexpr uint32_t kRequestVersion = 2;

/// The bytes of a message's value; its key is request.row. The request passes CheckRequest.
std::string EncodeRequest(const Request& request);

/// Whether the bytes are a message of a kind of request, right or not.
bool IsRequest(std::string_view value);

/// kInvalidArgument: not a message, another version or kind, a key that is not the row, or a request that CheckRequest
/// refuses. Bytes made for it are parsed into a hundred times their size before they are refused; a topic bounds them
/// by its largest message.
Result<Request> DecodeRequest(std::string_view key, std::string_view value);

}  // namespace fensi::consumer
