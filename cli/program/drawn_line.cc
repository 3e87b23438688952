#include "cli/program/drawn_line.h"

#include <atomic>
#include <cstdio>
#include <string>

#include "cli/program/output.h"

namespace fensi::cli {
namespace {

constexpr char kEraseLine[] = "\r\x1b[K";

std::atomic<bool> drawn = false;

}  // namespace

void DrawProgress(std::string_view line) {
  const std::string text = kEraseLine + Harmless(line);
  drawn = true;
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void ClearProgress() {
  if (drawn.exchange(false)) std::fputs(kEraseLine, stderr);
}

void WriteAbove(std::string_view line) {
  const std::string text = (drawn.exchange(false) ? kEraseLine : "") + std::string(line);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace fensi::cli
