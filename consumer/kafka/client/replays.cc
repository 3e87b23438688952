#include "consumer/kafka/client/replays.h"

#include "base/text.h"

namespace fensi::consumer {

uint32_t ReplayCountOf(const rd_kafka_message_t& message) {
  rd_kafka_headers_t* headers = nullptr;
  const void* value = nullptr;
  size_t size = 0;
  if (rd_kafka_message_headers(&message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR) return 0;
  const rd_kafka_resp_err_t found = rd_kafka_header_get_last(headers, kReplaysHeader, &value, &size);
  if (found != RD_KAFKA_RESP_ERR_NO_ERROR || value == nullptr) return 0;
  return ParseWhole<uint32_t>({static_cast<const char*>(value), size}).value_or(0);
}

}  // namespace fensi::consumer
