#include "operations/dead_letters/ledger.h"

#include <algorithm>

namespace fensi::operations {
namespace {

using consumer::DeadLetterRange;

constexpr int64_t kLettersInAByte = 4;
constexpr int kBits = 2;
constexpr uint8_t kMask = 3;

void Put(uint8_t* byte, int64_t offset, uint8_t bits) {
  const auto shift = static_cast<int>(offset % kLettersInAByte) * kBits;
  *byte = static_cast<uint8_t>((*byte & ~(kMask << shift)) | bits << shift);
}

}  // namespace

Status CheckEntry(const Place& place, const consumer::Resolution& entry) {
  for (const DeadLetterRange& range : entry.letters) {
    if (range.first >= 0 && range.first <= range.last && range.last < place.offset) continue;
    return InvalidArgument("this message marks the dead letters at offsets " + std::to_string(range.first) + " to " +
                           std::to_string(range.last) +
                           " as retried or discarded, and a message can mark only an ascending range of offsets "
                           "below its own");
  }
  return Status();
}

Status Ledger::Note(const Place& place, const consumer::Resolution& entry) {
  FENSI_RETURN_IF_ERROR(CheckEntry(place, entry));
  See(place);
  Partition& partition = partitions_.at(place.partition);
  const bool dropped = entry.action == consumer::Resolution::Action::kDropped;
  for (const DeadLetterRange& range : entry.letters) {
    Fill(&partition, range, dropped ? LetterState::kDiscarded : LetterState::kRetried);
  }
  return Status();
}

void Ledger::See(const Place& place) {
  const auto [partition, is_new] = partitions_.try_emplace(place.partition);
  if (is_new) partition->second.begin = place.offset - place.offset % kLettersInAByte;
}

/// The borders one by one, the range between them byte by byte: an entry may be about a million dead letters.
void Ledger::Fill(Partition* partition, const DeadLetterRange& range, LetterState state) {
  int64_t offset = std::max(range.first, partition->begin) - partition->begin;
  const int64_t end = range.last + 1 - partition->begin;
  if (offset >= end) return;
  const auto byte_of = [](int64_t letter) { return static_cast<size_t>(letter / kLettersInAByte); };
  std::vector<uint8_t>& bytes = partition->bytes;
  if (byte_of(end - 1) >= bytes.size()) bytes.resize(byte_of(end - 1) + 1);
  const auto bits = static_cast<uint8_t>(state);
  for (; offset < end && offset % kLettersInAByte != 0; ++offset) Put(&bytes[byte_of(offset)], offset, bits);
  const int64_t whole = (end - offset) / kLettersInAByte;
  const auto four = static_cast<uint8_t>(bits * 0b01010101);
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(byte_of(offset)), whole, four);
  for (offset += whole * kLettersInAByte; offset < end; ++offset) Put(&bytes[byte_of(offset)], offset, bits);
}

LetterState Ledger::StateOf(const Place& place) const {
  const auto found = partitions_.find(place.partition);
  if (found == partitions_.end() || place.offset < found->second.begin) return LetterState::kOpen;
  const auto index = static_cast<size_t>((place.offset - found->second.begin) / kLettersInAByte);
  if (index >= found->second.bytes.size()) return LetterState::kOpen;
  const auto shift = static_cast<int>(place.offset % kLettersInAByte) * kBits;  // begin is a multiple
  return static_cast<LetterState>(found->second.bytes[index] >> shift & kMask);
}

size_t Ledger::bytes() const {
  size_t bytes = 0;
  for (const auto& [number, partition] : partitions_) bytes += partition.bytes.capacity();
  return bytes;
}

}  // namespace fensi::operations
