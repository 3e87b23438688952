#include "operations/dead_letters/letter_counts.h"

#include "operations/dead_letters/dead_letter_log.h"

namespace fensi::operations {

Result<LettersByReason> CountLetters(LetterReader* reader, const std::string& index) {
  DeadLetterLog letters(reader, index, DeadLetterLog::Unreadable::kCount);
  const Status ledger = letters.ReadLedger();
  if (ledger.code() == StatusCode::kNotFound) return LettersByReason();
  FENSI_RETURN_IF_ERROR(ledger);
  LettersByReason counts;
  FENSI_RETURN_IF_ERROR(letters.ForEach({}, [&](const Place&, LetterState state, consumer::DeadLetterRecord* parked) {
    if (parked->begins()) ++counts[KindWord(parked->letter)][static_cast<size_t>(state)];
    return Result<bool>(true);
  }));
  return counts;
}

}  // namespace fensi::operations
