// What memory a test takes: what its heap holds now, and how much more than before it has needed. A sanitizer's own
// memory does not count: under one it is the heap that is measured, at each call for memory.
#pragma once

#include <malloc.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#ifdef FENSI_SANITIZED
// Of all sanitizers; GCC installs no header for them.
extern "C" {
size_t __sanitizer_get_allocated_size(const volatile void* memory);
size_t __sanitizer_get_current_allocated_bytes();
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, size_t),
                                              void (*on_free)(const volatile void*));
}
#endif

namespace fensi {

#ifdef FENSI_SANITIZED

inline size_t LiveHeapBytes() { return __sanitizer_get_current_allocated_bytes(); }

/// Counts from its making; one at a time.
class MemoryGrowth {
 public:
  MemoryGrowth() {
    static const int installed = __sanitizer_install_malloc_and_free_hooks(&NoteMalloc, &NoteFree);
    if (installed == 0) std::abort();
    before_ = __atomic_load_n(&live_, __ATOMIC_SEQ_CST);
    __atomic_store_n(&most_, before_, __ATOMIC_SEQ_CST);
  }
  long Kilobytes() const { return (__atomic_load_n(&most_, __ATOMIC_SEQ_CST) - before_) / 1024; }

 private:
  // Called also by a thread that has ended, of which the thread sanitizer knows nothing any more: it must not see them.
  __attribute__((no_sanitize("thread"))) static void NoteMalloc(const volatile void*, size_t bytes) {
    const long now = __atomic_add_fetch(&live_, static_cast<long>(bytes), __ATOMIC_SEQ_CST);
    long most = __atomic_load_n(&most_, __ATOMIC_SEQ_CST);
    while (now > most && !__atomic_compare_exchange_n(&most_, &most, now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
  }
  __attribute__((no_sanitize("thread"))) static void NoteFree(const volatile void* memory) {
    if (memory == nullptr) return;
    __atomic_sub_fetch(&live_, static_cast<long>(__sanitizer_get_allocated_size(memory)), __ATOMIC_SEQ_CST);
  }
  inline static long live_ = 0, most_ = 0;
  long before_;
};

#else

inline size_t LiveHeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// Counts from its making, what this process has resident; one at a time.
class MemoryGrowth {
 public:
  MemoryGrowth() {
    malloc_trim(0);  // what earlier tests gave back would be taken unseen
    std::FILE* peak = std::fopen("/proc/self/clear_refs", "w");
    if (peak == nullptr || std::fputs("5", peak) < 0 || std::fclose(peak) != 0) std::abort();
    before_ = Peak();
  }
  long Kilobytes() const { return Peak() - before_; }

 private:
  static long Peak() {
    std::FILE* status = std::fopen("/proc/self/status", "r");
    long kilobytes = -1;
    for (char line[256]; kilobytes < 0 && std::fgets(line, sizeof line, status) != nullptr;) {
      if (std::sscanf(line, "VmHWM: %ld", &kilobytes) != 1) kilobytes = -1;
    }
    std::fclose(status);
    if (kilobytes < 0) std::abort();
    return kilobytes;
  }
  long before_;
};

#endif

}  // namespace fensi
