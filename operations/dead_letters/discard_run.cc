#include "base/text.h"
#include "base/who.h"
#include "operations/console/console.h"
#include "operations/dead_letters/discarding.h"
#include "operations/dead_letters/ledger_writer.h"

namespace fensi::operations {
namespace {

void PrintDiscard(const DeadLetterLog& letters, const DeadLetterDiscard& discard, const std::string& what) {
  Print("index " + letters.index() + ": " + Counted(discard.letters(), "dead letter") + " " + what + "\n");
  for (const auto& [kind, count] : discard.kinds()) Print("  " + kind + ": " + WithCommas(count) + "\n");
}

}  // namespace

Status PlanDiscard(const DeadLetterLog& letters, const DiscardWish& wish) {
  DeadLetterDiscard discard(&letters, wish.filter, wish.most);
  FENSI_RETURN_IF_ERROR(discard.Run(nullptr));
  PrintDiscard(letters, discard, "to be discarded");
  FENSI_RETURN_IF_ERROR(FinishOutput());
  if (discard.letters() > 0) wish.say_the_line();
  return {};
}

Status DiscardDeadLetters(const mapping::Index& index, const DeadLetterLog& letters, const DiscardWish& wish,
                          consumer::MessageWriter* writer) {
  DeadLetterDiscard discard(&letters, wish.filter, wish.most);
  LedgerWriter ledger(writer, index.dead_letter_topic(),
                      {.index = index.name(),
                       .action = consumer::Resolution::Action::kDropped,
                       .letters = {},
                       .who = WhoIsAtWork(),
                       .why = wish.reason});
  FENSI_RETURN_IF_ERROR(discard.Run(nullptr));  // all can be read before anything is written
  FENSI_RETURN_IF_ERROR(discard.Run(&ledger));
  PrintDiscard(letters, discard, "discarded");
  Say("dead-letters: " + Counted(discard.letters(), "dead letter") + " discarded");
  return {};
}

}  // namespace fensi::operations
