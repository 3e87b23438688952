// The dead letters of one index, each with its status. Blocks; one thread.
//
// Indexes may share a topic, and others may write to it: invalid messages are named once, on standard error, and
// skipped. Memory does not grow with the dead letters except for the ledger's two bits.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "mapping/index.h"
#include "operations/access/kafka.h"
#include "operations/dead_letters/ledger.h"
#include "operations/dead_letters/letter_reader.h"

namespace fensi::operations {

/// The dead letter's kind if it is one of `fensi_dead_letters_total`; otherwise "unknown".
std::string KindWord(const consumer::DeadLetter& letter);

/// The whole reason, sanitized for a terminal. Invalid bytes are escaped in it already.
std::string ReasonText(const consumer::DeadLetter& letter);

/// What to do about a dead letter, by its kind: a sentence without its end.
std::string RemedyText(const consumer::DeadLetter& letter);

class DeadLetterLog {
 public:
  /// False: stop reading.
  using Use = std::function<Result<bool>(const Place& place, LetterState state, consumer::DeadLetterRecord* letter)>;

  enum class Unreadable { kName, kCount };

  /// kCount: invalid messages are not named, but counted as always.
  DeadLetterLog(LetterReader* reader, std::string index, Unreadable unreadable = Unreadable::kName)
      : reader_(reader), index_(std::move(index)), names_unreadable_(unreadable == Unreadable::kName) {}

  /// Reads everything once. Call before ForEach.
  Status ReadLedger();
  /// Reads every dead letter of the index, those in parts part by part; from a position on those of its partition.
  Status ForEach(const std::optional<Place>& from, const Use& use) const;

  /// The last entry about a dead letter, which says who resolved it. Reads the rest of its partition once more.
  Result<std::optional<consumer::Resolution>> EntryAbout(const Place& letter) const;

  LetterState StateOf(const Place& place) const { return ledger_.StateOf(place); }
  std::string name() const { return reader_->name(); }
  const std::string& index() const { return index_; }
  int64_t unreadable() const { return unreadable_; }
  int64_t of_others() const { return of_others_; }  // dead letters of other indexes

 private:
  void NameUnreadable(const Place& place, const Status& why);

  LetterReader* const reader_;
  const std::string index_;
  const bool names_unreadable_;
  Ledger ledger_;
  int64_t unreadable_ = 0;
  int64_t of_others_ = 0;
};

struct LettersPlace {
  std::string file;    // empty: the index's topic
  KafkaOptions kafka;  // of that topic
};

/// The ledger has been read.
struct OpenedLetters {
  std::unique_ptr<LetterReader> reader;
  std::unique_ptr<DeadLetterLog> log;
};

Result<OpenedLetters> OpenLetters(const mapping::Index& index, const LettersPlace& place);

}  // namespace fensi::operations
