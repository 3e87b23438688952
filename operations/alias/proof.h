// Checks whether a report of `fensi verify` proves that an index matches its source.
//
// Blocks on the file; one thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "mapping/index.h"

namespace fensi::operations {

struct Proof {
  std::string fault;  // why it proves nothing; empty: it is a proof
  std::string text;   // for people, if it is a proof: when it began, and what was compared
};

/// kConfiguration: it is no complete report of this index and incarnation, or cannot be read.
Result<Proof> ReadProof(const std::string& path, const mapping::Index& index, const std::string& incarnation,
                        int64_t now_millis);

}  // namespace fensi::operations
