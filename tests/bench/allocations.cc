#include "tests/bench/allocations.h"

#include <cstddef>

namespace {

thread_local int64_t allocations = 0;

}  // namespace

namespace fensi::bench {

int64_t Allocations() { return allocations; }

}  // namespace fensi::bench

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);

void* malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
}
