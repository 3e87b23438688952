#include "operations/dead_letters/discarding.h"

#include <utility>
#include <vector>

namespace fensi::operations {
namespace {

constexpr size_t kChunkLetters = 10'000;

}  // namespace

Status DeadLetterDiscard::Run(LedgerWriter* ledger) {
  kinds_.clear();
  letters_ = 0;
  std::vector<Place> chunk;
  const auto note = [&] {
    const std::vector<Place> noted = std::exchange(chunk, {});
    return ledger == nullptr || noted.empty() ? Status() : ledger->Note(noted);
  };
  const auto take = [&](const Place& place, LetterState, const consumer::DeadLetterRecord* parked) -> Result<bool> {
    ++letters_;
    ++kinds_[KindWord(parked->letter)];
    chunk.push_back(place);
    if (chunk.size() >= kChunkLetters) FENSI_RETURN_IF_ERROR(note());
    return most_ == 0 || letters_ < most_;
  };
  FENSI_RETURN_IF_ERROR(chosen_.ForEach(take));
  return note();
}

}  // namespace fensi::operations
