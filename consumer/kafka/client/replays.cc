#include "consumer/kafka/client/replays.h"

#include <charconv>

namespace fensi::consumer {

uint32_t ReplayCountOf(const rd_kafka_message_t& message) {
  rd_kafka_headers_t* headers = nullptr;
  const void* value = nullptr;
  size_t size = 0;
  if (rd_kafka_message_headers(&message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR) return 0;
  const rd_kafka_resp_err_t found = rd_kafka_header_get_last(headers, kReplaysHeader, &value, &size);
  if (found != RD_KAFKA_RESP_ERR_NO_ERROR || value == nullptr) return 0;
  const auto* const text = static_cast<const char*>(value);
  uint32_t replays = 0;
  const auto [end, error] = std::from_chars(text, text + size, replays);
  return error == std::errc() && end == text + size ? replays : 0;
}

}  // namespace fensi::consumer
