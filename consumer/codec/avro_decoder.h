// Events of the Apache HBase Kafka proxy: one Avro record a cell, without a schema in front.
//
//   HBaseKafkaEvent { bytes key; long timestamp; boolean delete; bytes value; bytes qualifier; bytes family;
//                     bytes table }
// The proxy's message key is not the row: such a topic is not partitioned by row and must be consumed by one worker. It
// has lost the kind of a delete (kUnknownDelete) and HBase's sequence (0).
#pragma once

#include <string_view>

#include "base/cell.h"
#include "base/status.h"

namespace fensi::consumer {

/// Fills `event`, which is undefined after an error. kInvalidArgument names the field and the byte.
Status DecodeAvroEvent(std::string_view value, ChangeEvent* event);

}  // namespace fensi::consumer
