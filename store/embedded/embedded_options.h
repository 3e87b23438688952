// How an EmbeddedStore is opened. A header of its own, because the store's parts need it and the store needs them.
#pragma once

#include <string>

#include "base/clock.h"

namespace fensi::store {

struct EmbeddedOptions {
  std::string directory;         // created when it is absent, unless read_only or existing
  bool in_memory = false;        // nothing is kept; directory is not used
  bool read_only = false;        // an absent directory is kNotFound, writes are kPermission
  bool existing = false;         // an absent directory is kNotFound
  Clock* clock = SystemClock();  // for expiry; must outlive the store
};

}  // namespace fensi::store
