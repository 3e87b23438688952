#include "daemon/indexes/memory.h"

#include <string>
#include <utility>

#include "operations/access/flag_faults.h"

namespace fensi::daemon {
namespace {

size_t MegaBytes(int32_t number) { return static_cast<size_t>(number) << 20; }

}  // namespace

Result<IndexMemory> MemoryOfEach(const MemoryOptions& options, size_t indexes) {
  if (options.all_mb == 0) return IndexMemory{MegaBytes(options.queued_mb), MegaBytes(options.cache_mb)};
  for (const auto& [part, given] :
       {std::pair("max_queued_mb", options.queued_given), std::pair("state_cache_mb", options.cache_given)}) {
    if (!given) continue;
    return operations::FlagsExclude("--memory_mb", std::string("--") + part,
                                    "it is for all indexes together. --print_flags shows where both are set");
  }
  const size_t parts = 2 * indexes;
  const size_t share = MegaBytes(options.all_mb) / parts;
  if (share >= MegaBytes(1)) return IndexMemory{share, share};
  return InvalidArgument("--memory_mb=" + std::to_string(options.all_mb) + " is too little for " +
                         std::to_string(indexes) +
                         " indexes, which need 2 MB each. Give --memory_mb=" + std::to_string(parts) + " or more");
}

}  // namespace fensi::daemon
