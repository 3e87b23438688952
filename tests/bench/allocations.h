// Calls of malloc, which operator new and the libraries (OpenSSL, protobuf) end in, counted by thread.
#pragma once

#include <cstdint>

namespace fensi::bench {

/// Of the calling thread, ever.
int64_t Allocations();

}  // namespace fensi::bench
