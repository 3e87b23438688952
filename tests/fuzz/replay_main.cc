// A fuzz target without libFuzzer: every file that is named, or lies in a folder that is named, is one input; so is its
// first half, which is nearly always broken.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

void Replay(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const size_t size : {text.size(), text.size() / 2}) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), size);
  }
}

int ReplayAll(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) {
    Replay(path);
    return 1;
  }
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (!entry.is_regular_file()) continue;
    Replay(entry.path());
    ++files;
  }
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  int files = 0;
  for (int i = 1; i < argc; ++i) {
    const int more = ReplayAll(argv[i]);
    if (more == 0) std::fprintf(stderr, "%s: no input\n", argv[i]);
    if (more == 0) return 1;
    files += more;
  }
  std::printf("%d inputs\n", files);
  return files > 0 ? 0 : 1;
}
