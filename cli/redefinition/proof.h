// Whether a report of `fensi verify` proves that an index is what its source says.
//
// Blocks on the file; one thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "mapping/index.h"

namespace fensi::cli {

struct Proof {
  std::string fault;  // why it proves nothing; empty: it does
  std::string text;   // for people, when it does: when it began, and what was compared
};

/// kConfiguration: it is no whole report of this index and incarnation, or cannot be read.
Result<Proof> ReadProof(const std::string& path, const mapping::Index& index, const std::string& incarnation,
                        int64_t now_millis);

}  // namespace fensi::cli
