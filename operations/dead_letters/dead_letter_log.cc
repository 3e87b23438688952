#include "operations/dead_letters/dead_letter_log.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "base/bytes.h"
#include "base/text.h"
#include "indexer/timings.h"
#include "mapping/diagnostics.h"
#include "operations/console/console.h"

namespace fensi::operations {
namespace {

using consumer::DeadLetterMessage;
using consumer::DeadLetterRecord;
using consumer::Resolution;

// A million messages of somebody else are no million lines.
constexpr int64_t kMostNamed = 10;

}  // namespace

std::string KindWord(const consumer::DeadLetter& letter) {
  const auto& stored = indexer::kStoredLetterKindNames;
  const auto* const found = std::find(stored.begin(), stored.end(), letter.kind);
  return found == stored.end() ? "unknown" : indexer::kLetterKindNames[static_cast<size_t>(found - stored.begin())];
}

std::string ReasonText(const consumer::DeadLetter& letter) {
  return mapping::SanitizeForTerminal(letter.reason, std::numeric_limits<size_t>::max());
}

std::string RemedyText(const consumer::DeadLetter& letter) {
  const std::string kind = KindWord(letter);
  const std::string retry =
      "'fensi dead-letters retry MAPPING " + Escape(letter.index) + " PARTITION/OFFSET --execute'";
  // Commands of fensi write the requests: with another version, or before the topic got more partitions. A retry or
  // another mapping does not help.
  if (kind == "undecodable" && letter.topic == letter.index + ".requests") {
    return "If 'fensi backfill' or 'fensi repair' wrote it, correct its row with the version of the daemon: 'fensi "
           "repair MAPPING " +
           Escape(letter.index) +
           " ROW --execute'. If a backfill wrote many of them, run the backfill again with --restart. Then discard "
           "them";
  }
  if (kind == "undecodable") {
    return "Upgrade fensi if the writer is newer, then " + retry +
           ". If the sender of the changes ('fensi capture', 'fensi publish' or the HBase Kafka proxy) did not write "
           "it, discard it, and let only that sender write to the topic";
  }
  if (kind == "unmappable")
    return "Correct the value in the source, then " + retry +
           ". If the mapping is wrong, build a new index ('fensi help redefinition')";
  if (kind == "rejected") return "Correct what HBase refuses in the source, the mapping or the table, then " + retry;
  if (kind == "source_required")
    return "If the reason says that the index began without its source table, or if the index is shared, a retry does "
           "not help: write the value into the source row again with a newer timestamp, and discard it. Otherwise "
           "correct the source, then " +
           retry;
  if (kind == "outside_retention") {
    return "Discard it. If the entry is wanted, raise 'retention', restart 'fensi run', then 'fensi repair MAPPING " +
           Escape(letter.index) + " ROW --execute'";
  }
  return "See the event with 'fensi dead-letters show', fix the cause, then " + retry;
}

Status DeadLetterLog::ReadLedger() {
  FENSI_RETURN_IF_ERROR(
      reader_->ForEach(std::nullopt, [this](const Place& place, Result<DeadLetterMessage> message) -> Result<bool> {
        ledger_.See(place);
        Status fault = message.status();
        if (message.ok()) {
          if (const auto* entry = std::get_if<Resolution>(&*message)) {
            if (entry->index == index_) fault = ledger_.Note(place, *entry);
          } else {
            const auto& parked = std::get<DeadLetterRecord>(*message);
            if (parked.letter.index != index_ && parked.begins()) ++of_others_;
          }
        }
        if (!fault.ok()) NameUnreadable(place, fault);
        return true;
      }));
  if (names_unreadable_ && unreadable_ > kMostNamed)
    Say("dead-letters: " + name() + ": fensi skips " + WithCommas(unreadable_ - kMostNamed) +
        " more messages that it cannot read. If another program wrote them, let only fensi write to " + name());
  return Status();
}

void DeadLetterLog::NameUnreadable(const Place& place, const Status& why) {
  if (++unreadable_ > kMostNamed || !names_unreadable_) return;
  Say("dead-letters: " + name() + ", " + PlaceText(place) + " is skipped: " + why.message() +
      ". If another program wrote it, let only fensi write to " + name());
}

Status DeadLetterLog::ForEach(const std::optional<Place>& from, const Use& use) const {
  return reader_->ForEach(from, [&](const Place& place, Result<DeadLetterMessage> message) -> Result<bool> {
    auto* const parked = message.ok() ? std::get_if<DeadLetterRecord>(&*message) : nullptr;
    if (parked == nullptr || parked->letter.index != index_) return true;
    return use(place, ledger_.StateOf(place), parked);
  });
}

Result<std::optional<Resolution>> DeadLetterLog::EntryAbout(const Place& letter) const {
  std::optional<Resolution> last;
  const auto covers = [&](const consumer::DeadLetterRange& range) {
    return range.first <= letter.offset && letter.offset <= range.last;
  };
  FENSI_RETURN_IF_ERROR(
      reader_->ForEach(letter, [&](const Place& at, Result<DeadLetterMessage> message) -> Result<bool> {
        auto* const entry = message.ok() ? std::get_if<Resolution>(&*message) : nullptr;
        if (entry == nullptr || entry->index != index_ || !CheckEntry(at, *entry).ok()) return true;
        if (std::any_of(entry->letters.begin(), entry->letters.end(), covers)) last = std::move(*entry);
        return true;
      }));
  return last;
}

}  // namespace fensi::operations
