#include "operations/verify/verified.h"

#include <sstream>

#include "base/shown_text.h"
#include "base/text.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "operations/access/position.h"
#include "operations/console/console.h"
#include "operations/jobs/join.h"

namespace fensi::operations {
namespace {

constexpr int kSumWords = 9;

}  // namespace

Verified ResultOf(const sweep::Counts& counts, const sweep::CompareOptions& options, int64_t began) {
  Verified verified{.younger = counts.younger, .what = ComparedText(options)};
  verified.sum.Add(counts);
  verified.sum.began = began;
  verified.sum.ended = SystemClock()->WallMillis();
  return verified;
}

std::string VerifiedText(const Verified& verified) {
  return sweep::TextOf(verified.sum) + " " + std::to_string(verified.younger) + " " + verified.what;
}

std::optional<Verified> VerifiedOf(const std::string& text) {
  std::istringstream words(text);
  std::string sum, word;
  for (int i = 0; i < kSumWords && words >> word; ++i) sum += (i == 0 ? "" : " ") + word;
  const std::optional<sweep::ScrubSum> known = sweep::ScrubSumOf(sum);
  Verified verified;
  if (!known || !(words >> verified.younger) || verified.younger < 0 || words.get() != ' ') return std::nullopt;
  verified.sum = *known;
  std::getline(words, verified.what);
  return verified.what.empty() ? std::nullopt : std::optional(std::move(verified));
}

std::string ShownVerified(const std::string& text) {
  const std::optional<Verified> verified = VerifiedOf(text);
  if (!verified) return "";
  const sweep::ScrubSum& sum = verified->sum;
  std::string shown = "verified " + TimeText(sum.ended) + ": " + Counted(sum.found(), "difference") + " among " +
                      Counted(sum.rows, "source row");
  if (sum.undecided > 0) shown += ", " + WithCommas(sum.undecided) + " undecided";
  if (sum.unattributed > 0) shown += ", " + WithCommas(sum.unattributed) + " of unknown source rows";
  if (verified->younger > 0) shown += ", " + WithCommas(verified->younger) + " younger";
  return shown + " (" + SanitizeForTerminal(verified->what) + ")";
}

std::string ComparedText(const sweep::CompareOptions& options) {
  std::string text = options.forward && options.backward ? "both" : options.forward ? "forward" : "reverse";
  text += ", rows " + KeyText(options.start_row) + " to " + KeyText(options.stop_row);
  if (options.walk.sample > 0) text += ", a sample";
  if (options.digest) text += ", by a digest";
  if (options.as_of != INT64_MAX) text += ", as of " + TimeText(options.as_of);
  return text;
}

void TellOfPhase(const mapping::Index& index, const std::string& incarnation, store::Store* store,
                 const std::string& meta_table) {
  if (incarnation.empty()) return;
  const meta::IndexRecord record(meta::VersionedMetaRow(store, meta_table, meta::IndexRow(index.name())));
  const Result<std::optional<meta::IndexState>> state = record.Read();
  if (!state.ok() || !state->has_value() || (*state)->incarnation != incarnation) return;
  const meta::Phase phase = (*state)->phase;
  if (phase != meta::Phase::kBuilding && phase != meta::Phase::kPartial) return;
  Say("verify: index " + index.name() + " is in phase " + meta::PhaseName(phase) + ": " +
      (phase == meta::Phase::kBuilding ? "no backfill has" : "a backfill has not") +
      " brought in all rows from before its stream, so entries of these rows may be missing. Bring the rows in with "
      "'fensi backfill MAPPING " +
      index.name() + " --execute'");
}

void NoteVerified(const mapping::Index& index, const std::string& incarnation, store::Store* store,
                  const std::string& meta_table, const Verified& verified) {
  if (incarnation.empty()) return;
  const meta::IndexRecord record(meta::VersionedMetaRow(store, meta_table, meta::IndexRow(index.name())));
  const Result<std::optional<meta::IndexState>> state = record.Read();
  const std::optional<Verified> known = state.ok() && state->has_value() && (*state)->incarnation == incarnation
                                            ? VerifiedOf((*state)->verified)
                                            : std::nullopt;
  if (known && known->sum.began > verified.sum.began) {
    return Say("verify: the result above was not recorded in table " + meta_table +
               ", because a comparison of the index that began later, at " + TimeText(known->sum.began) +
               ", has ended. Do nothing");
  }
  const Status noted = record.SetVerified(incarnation, VerifiedText(verified));
  if (!noted.ok()) {
    Say("verify: the result above could not be recorded in table " + meta_table + ": " + noted.message() +
        ". Give this user the right to write that table, then verify again");
  }
}

}  // namespace fensi::operations
