#include "hbase/wire/frame_assembler.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "base/bytes.h"

namespace fensi::hbase {
namespace {

constexpr size_t kHeadBytes = 4;
/// Of a frame that is dropped: more than the header of an answer.
constexpr size_t kKeptBytes = 1 << 10;

std::shared_ptr<char[]> NewBytes(size_t size) { return std::make_shared_for_overwrite<char[]>(size); }

}  // namespace

std::span<char> FrameAssembler::Space() {
  if (large_bytes_ != nullptr) return {large_bytes_.get() + large_filled_, large_.size - large_filled_};
  if (to_drop_ > 0) return {staged_.data(), std::min(to_drop_, staged_.size())};
  return {staged_.data() + filled_, staged_.size() - filled_};
}

Status FrameAssembler::CheckLength(size_t length) const {
  if (length <= std::max(most_bytes_, most_dropped_)) return {};
  return Status(StatusCode::kRejected,
                "the server announced an answer of " + std::to_string(length) +
                    " bytes, more than HBase sends. Check that --store names the RPC port of HBase");
}

Status FrameAssembler::Take(size_t bytes, std::vector<FrameBytes>* frames) {
  if (to_drop_ > 0) {
    to_drop_ -= bytes;
    return {};
  }
  if (large_bytes_ == nullptr) {
    filled_ += bytes;
    return Cut(frames);
  }
  large_filled_ += bytes;
  if (large_filled_ < large_.size) return {};
  frames->push_back(std::exchange(large_, {}));
  large_bytes_.reset();
  large_filled_ = 0;
  return {};
}

Status FrameAssembler::Cut(std::vector<FrameBytes>* frames) {
  size_t at = 0;
  while (filled_ - at >= kHeadBytes) {
    const size_t length = ReadBigEndian32({staged_.data() + at, kHeadBytes});
    FENSI_RETURN_IF_ERROR(CheckLength(length));
    const size_t there = std::min(length, filled_ - at - kHeadBytes);
    const bool drops = length > most_bytes_;
    if (there < length && (drops ? there < kKeptBytes : length + kHeadBytes <= staged_.size())) break;
    std::shared_ptr<char[]> owned = NewBytes(drops ? there : length);
    std::memcpy(owned.get(), staged_.data() + at + kHeadBytes, there);
    at += kHeadBytes + there;
    if (drops) {
      frames->push_back({std::move(owned), there, length});
      to_drop_ = length - there;
      continue;
    }
    if (there == length) {
      frames->push_back({std::move(owned), length, 0});
      continue;
    }
    large_bytes_ = owned;
    large_ = {std::move(owned), length, 0};
    large_filled_ = there;
  }
  std::memmove(staged_.data(), staged_.data() + at, filled_ - at);
  filled_ -= at;
  return {};
}

void FrameAssembler::Release() {
  staged_ = {};
  large_bytes_.reset();
  large_ = {};
}

}  // namespace fensi::hbase
