#include "cli/run/memory.h"

#include <cstdint>
#include <string>

#include "cli/flags/flags.h"

namespace fensi::cli {
namespace {

size_t MegaBytes(int32_t number) { return static_cast<size_t>(number) << 20; }

}  // namespace

Result<IndexMemory> MemoryOfEach(size_t indexes) {
  if (FLAGS_memory_mb == 0) return IndexMemory{MegaBytes(FLAGS_max_queued_mb), MegaBytes(FLAGS_state_cache_mb)};
  for (const char* part : {"max_queued_mb", "state_cache_mb"}) {
    if (!FlagIsGiven(part)) continue;
    return InvalidArgument(
        std::string("--memory_mb is for queues and caches of all indexes together and does not go with --") + part +
        ", which is for each; --print_flags says where they come from");
  }
  const size_t parts = 2 * indexes;
  const size_t share = MegaBytes(FLAGS_memory_mb) / parts;
  if (share >= MegaBytes(1)) return IndexMemory{share, share};
  return InvalidArgument("--memory_mb=" + std::to_string(FLAGS_memory_mb) + " is too little for " +
                         std::to_string(indexes) + " indexes, which need at least " + std::to_string(parts));
}

}  // namespace fensi::cli
