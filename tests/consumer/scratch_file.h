// A file of its own for one test, removed at its end.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace fensi::consumer {

class ScratchFile {
 public:
  explicit ScratchFile(const std::string& content) {
    close(mkstemp(path_.data()));
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~ScratchFile() { unlink(path_.c_str()); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& path() const { return path_; }
  std::string content() const {
    std::ifstream in(path_, std::ios::binary);
    std::string text(std::filesystem::file_size(path_),
                     '\0');  // at once: a sanitizer takes its time for each character
    text.resize(in.read(text.data(), static_cast<std::streamsize>(text.size())).gcount());
    return text;
  }

 private:
  std::string path_ = "/tmp/fensi_test_XXXXXX";
};

}  // namespace fensi::consumer
