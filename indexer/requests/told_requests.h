// Requests in the form that the maintainer takes: records whose events are the contents of images, each with its
// request.
//
// Pure values; not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "consumer/change_source.h"
#include "mapping/index.h"

namespace fensi::indexer {

using Requests = std::span<const consumer::Request* const>;

struct ToldRequests {
  consumer::Batch batch;                           // owns the requests
  std::vector<const consumer::Request*> requests;  // one per record
  int64_t stale = 0;  // left out, because meant for another incarnation (M21); the same in all attempts
};

ToldRequests Told(const mapping::Index& index, const std::string& incarnation,
                  const std::shared_ptr<consumer::RequestBatch>& requests);

}  // namespace fensi::indexer
