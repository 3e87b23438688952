// The dead letters of one index, each with what was done about it. Blocks; one thread.
//
// A topic may be shared by indexes, and others may write to it: what is no letter is named once, on standard error, and
// passed. Memory does not grow with the letters but for the ledger's two bits.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/parked/ledger.h"
#include "cli/parked/letter_reader.h"

namespace fensi::cli {

/// Whether a letter's kind is one of `fensi_dead_letters_total`; any other word is "unknown".
std::string KindWord(const consumer::DeadLetter& letter);

/// The whole reason, harmless on a terminal. Bytes that are no text are escaped in it already.
std::string ReasonText(const consumer::DeadLetter& letter);

class ParkedLetters {
 public:
  /// False: it has seen enough.
  using Use = std::function<Result<bool>(const Place& place, LetterState state, consumer::ParkedLetter* letter)>;

  enum class Unreadable { kName, kCount };

  /// kCount: what is no letter is not named, but counted as always.
  ParkedLetters(LetterReader* reader, std::string index, Unreadable unreadable = Unreadable::kName)
      : reader_(reader), index_(std::move(index)), names_unreadable_(unreadable == Unreadable::kName) {}

  /// Reads everything once. Before ForEach.
  Status ReadLedger();
  /// Every letter of the index, those in parts piece by piece; from a place on those of its partition.
  Status ForEach(const std::optional<Place>& from, const Use& use) const;

  /// The last entry about a letter, which says who ended it. Reads its partition from there on once more.
  Result<std::optional<consumer::Resolution>> EntryAbout(const Place& letter) const;

  LetterState StateOf(const Place& place) const { return ledger_.StateOf(place); }
  std::string name() const { return reader_->name(); }
  const std::string& index() const { return index_; }
  int64_t unreadable() const { return unreadable_; }
  int64_t of_others() const { return of_others_; }  // letters of other indexes

 private:
  void NameUnreadable(const Place& place, const Status& why);

  LetterReader* const reader_;
  const std::string index_;
  const bool names_unreadable_;
  Ledger ledger_;
  int64_t unreadable_ = 0;
  int64_t of_others_ = 0;
};

}  // namespace fensi::cli
