// Dead letters that a test writes down.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "operations/dead_letters/letter_reader.h"
#include "tests/doubles/full_letter.h"

namespace fensi::operations {

inline consumer::DeadLetter Letter(int64_t offset, const std::string& kind = "unmappable") {
  return {.index = "fensi",
          .reason = "no value",
          .topic = "guanzhu",
          .partition = 0,
          .offset = offset,
          .row = "r" + std::to_string(offset),
          .original_key = "r" + std::to_string(offset),
          .original = "bytes",
          .kind = kind};
}

inline consumer::Resolution Entry(consumer::Resolution::Action action, std::vector<consumer::DeadLetterRange> letters) {
  return {.index = "fensi", .action = action, .letters = std::move(letters), .who = "me@here", .why = {}, .time = 7};
}

/// The messages of partition 0, from offset `begin` on.
class MemoryLetters final : public LetterReader {
 public:
  void Add(std::string message) { messages_.push_back(std::move(message)); }
  void Add(const consumer::DeadLetter& letter, int64_t time = 5) { Add(consumer::EncodeDeadLetter(letter, time)); }
  void Add(const consumer::Resolution& entry) { Add(consumer::EncodeResolution(entry)); }

  Status ForEach(const std::optional<Place>& from, const Use& use) override {
    const size_t end = messages_.size();  // what comes meanwhile is for the next one
    for (size_t i = 0; i < end; ++i) {
      const Place place{0, begin + static_cast<int64_t>(i)};
      if (from && (from->partition != 0 || place.offset < from->offset)) continue;
      const Result<bool> more = use(place, consumer::DecodeDeadLetterMessage(messages_[i]));
      if (!more.ok() || !*more) return more.status();
    }
    return Status();
  }
  std::string name() const override { return "topic fensi.dead"; }

  int64_t begin = 0;

 private:
  std::vector<std::string> messages_;
};

}  // namespace fensi::operations
