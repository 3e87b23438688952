// What a judge asks before it believes that an index lacks something: has it followed its source by now?
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

/// By the marks in the meta table (--meta_table). Empty where no daemon can be at work: on an embedded store, or for an
/// index that nobody has begun (`incarnation` is empty). The function blocks on the store, which outlives it; one
/// thread.
std::function<Result<bool>(int64_t)> FollowedByMarks(const mapping::Index& index, const std::string& incarnation,
                                                     store::Store* store);

}  // namespace fensi::cli
