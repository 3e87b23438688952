// Whatever stands on a connection to the capture: preamble, connection header, call frame.
#include <cstdint>
#include <string>
#include <string_view>

#include "capture/rpc/frame.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace fensi::capture;  // NOLINT: this file is nothing else
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (size >= kPreambleBytes) (void)CheckPreamble(bytes.substr(0, kPreambleBytes), size % 2 == 0);
  std::string about;
  (void)CheckConnectionHeader(bytes, &about);
  CallFrame call;
  if (!ParseCallFrame(bytes, &call).ok()) return 0;
  // Views stay inside the frame.
  const auto inside = [&](std::string_view view) {
    return view.empty() || (view.data() >= bytes.data() && view.data() + view.size() <= bytes.data() + size);
  };
  if (!inside(call.request) || !inside(call.cells)) __builtin_trap();
  return 0;
}
