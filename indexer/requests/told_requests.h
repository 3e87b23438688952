// Requests as the maintainer takes them: records whose events are what images show, each beside its request.
//
// Pure values; not thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "consumer/change_source.h"
#include "mapping/index.h"

namespace fensi::indexer {

using Requests = std::span<const consumer::Request* const>;

struct ToldRequests {
  consumer::Batch batch;                           // owns the requests
  std::vector<const consumer::Request*> requests;  // of each record
  int64_t stale = 0;  // left out: meant for another incarnation (M21), by all attempts alike
};

ToldRequests Told(const mapping::Index& index, const std::string& incarnation, consumer::RequestBatch requests);

}  // namespace fensi::indexer
