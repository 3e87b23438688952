// A library for LD_PRELOAD: the program leaks FENSI_TEST_LEAK_BYTES_S bytes each second, in pieces of 1 kB that are
// written to. It shows that a measurement of memory notices a leak.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

constexpr size_t kPieceBytes = 1024;
constexpr int kRoundsPerSecond = 10;

void* volatile last = nullptr;  // so that no compiler leaves the pieces out

[[noreturn]] void Leak(long bytes_per_second) {
  for (long owed = 0;;) {
    for (owed += bytes_per_second / kRoundsPerSecond; owed > 0; owed -= static_cast<long>(kPieceBytes)) {
      void* const piece = std::malloc(kPieceBytes);
      if (piece != nullptr) std::memset(piece, 1, kPieceBytes);
      last = piece;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1000 / kRoundsPerSecond));
  }
}

__attribute__((constructor)) void Begin() {
  const char* const text = std::getenv("FENSI_TEST_LEAK_BYTES_S");
  if (text != nullptr) std::thread(Leak, std::strtol(text, nullptr, 10)).detach();
}

}  // namespace
