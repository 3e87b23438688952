// Why an event gives no entry although it should; becomes a dead letter.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace fensi::indexer {

enum class LetterKind {
  kUndecodable,   // the bytes are no event, or one that cannot be
  kUnmappable,    // the row itself gives no entry: a scan may meet millions
  kRejected,      // the store never takes the cell
  kUnanswerable,  // what was left of the past does not say what is visible, or does not fit
  kOutsideKeep    // its period may not have an entry: a scan may meet millions
};
inline constexpr size_t kLetterKinds = 5;
inline constexpr std::array<const char*, kLetterKinds> kLetterKindNames = {"undecodable", "unmappable", "rejected",
                                                                           "unanswerable", "outside_keep"};

struct Letter {
  size_t record = 0;
  std::string reason;
  LetterKind kind = LetterKind::kUnanswerable;

  bool unmappable() const { return kind == LetterKind::kUnmappable || kind == LetterKind::kOutsideKeep; }
};

}  // namespace fensi::indexer
