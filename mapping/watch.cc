#include "mapping/watch.h"

namespace fensi::mapping {

bool Covers(const Watch& watch, std::string_view family, std::string_view qualifier) {
  if (watch.family != family) return false;
  switch (watch.kind) {
    case Watch::Kind::kColumn:
      return watch.qualifier == qualifier;
    case Watch::Kind::kPrefix:
      return qualifier.starts_with(watch.qualifier);
    case Watch::Kind::kFamily:
      return true;
  }
  return false;
}

}  // namespace fensi::mapping
