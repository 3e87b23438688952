// How a consumer leaves its group, and ends, in a time that is known before.
//
// librdkafka's own rd_kafka_consumer_close waits without end while something of an assignment is not answered, as for a
// partition whose topic is gone (rd_kafka_cgrp_try_terminate, seen with 2.0.2).
#pragma once

#include <librdkafka/rdkafka.h>

#include <string>

#include "base/status.h"
#include "consumer/kafka/deadline.h"

namespace fensi::consumer {

/// Blocks up to the deadline, and to the end of a callback that runs then; kUnavailable after it: the broker finds out
/// by the session timeout. Runs the client's callbacks on this thread, and none after it. Once.
Status LeaveGroup(rd_kafka_t* client, const std::string& group, Deadline deadline);

}  // namespace fensi::consumer
