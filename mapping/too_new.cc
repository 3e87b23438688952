#include "mapping/too_new.h"

#include "base/bytes.h"
#include "base/source_time.h"

namespace fensi::mapping {

Unmappable TooNew(std::string_view family, std::string_view qualifier, int64_t timestamp) {
  return {"column " + ColumnText(family, qualifier) + ": the put of time " + std::to_string(timestamp) +
          " is above the newest time that an index takes (" + std::to_string(kMaxSourceTime) +
          "), because no later change of the row could follow it; the column counts as empty until the put is deleted"};
}

}  // namespace fensi::mapping
