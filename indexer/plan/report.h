// Why an event gives no entry although it should; becomes a dead letter.
#pragma once

#include <cstddef>
#include <string>

namespace fensi::indexer {

struct Report {
  size_t record = 0;
  std::string reason;
};

}  // namespace fensi::indexer
