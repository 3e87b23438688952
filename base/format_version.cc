#include "base/format_version.h"

namespace fensi {

std::string FormatsRead(int64_t written) {
  return (written > 1 ? std::to_string(written - 1) + " and " : "") + std::to_string(written);
}

Status CheckFormat(const std::string& what, int64_t found, int64_t written, const std::string& renew) {
  if (ReadsFormat(found, written)) return {};
  const std::string remedy = found > written
                                 ? "a newer fensi wrote it; run that version, or a newer one"
                                 : "an older fensi wrote it, in a format that this fensi cannot read; " + renew;
  return Status(StatusCode::kConfiguration, what + " has format " + std::to_string(found) + ", and this fensi reads " +
                                                FormatsRead(written) + ": " + remedy);
}

}  // namespace fensi
