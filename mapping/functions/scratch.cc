#include "mapping/functions/scratch.h"

#include <algorithm>

namespace fensi::mapping {

char* Scratch::Allocate(size_t bytes) {
  while (block_ < blocks_.size() && blocks_[block_].size - used_ < bytes) {
    ++block_;
    used_ = 0;
  }
  if (block_ == blocks_.size()) {
    const size_t size = std::max<size_t>(bytes, size_t{4096} << std::min<size_t>(block_, 8));
    blocks_.push_back({std::make_unique<char[]>(size), size});
  }
  char* out = blocks_[block_].bytes.get() + used_;
  used_ += bytes;
  given_ += bytes;
  return out;
}

std::string_view Scratch::Keep(std::string_view text) {
  char* out = Allocate(text.size());
  std::copy(text.begin(), text.end(), out);
  return {out, text.size()};
}

std::string_view Scratch::KeepInverted(std::string_view bytes) {
  char* out = Allocate(bytes.size());
  std::transform(bytes.begin(), bytes.end(), out, [](char c) { return static_cast<char>(~c); });
  return {out, bytes.size()};
}

std::string_view Scratch::KeepBigEndian(uint64_t bits, size_t bytes) {
  char* out = Allocate(bytes);
  for (size_t i = 0; i < bytes; ++i) out[i] = static_cast<char>(bits >> (8 * (bytes - 1 - i)));
  return {out, bytes};
}

std::vector<std::string_view>* Scratch::NewList() {
  if (lists_used_ == lists_.size()) lists_.push_back(std::make_unique<std::vector<std::string_view>>());
  std::vector<std::string_view>* list = lists_[lists_used_++].get();
  list->clear();
  return list;
}

}  // namespace fensi::mapping
