#include "operations/dead_letters/listing.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "base/text.h"
#include "operations/access/position.h"
#include "operations/console/console.h"
#include "operations/json/json_line.h"

namespace fensi::operations {
namespace {

using consumer::DeadLetterRecord;

// A full disk, or a reader that has gone, is noticed after so many lines and not at the end of a million.
constexpr int64_t kFlushEach = 1000;

const char* NameOf(LetterState state) { return kLetterStateNames[static_cast<size_t>(state)]; }

}  // namespace

Status Listing::Run() {
  FENSI_RETURN_IF_ERROR(chosen_.ForEach(
      [this](const Place& place, LetterState state, DeadLetterRecord* it) { return Take(place, state, *it); }));
  if (!options_.letters) {
    for (const auto& [name, kind] : kinds_) PrintKind(name, kind);
    PrintTotal();
  }
  return FinishOutput();
}

Result<bool> Listing::Take(const Place& place, LetterState state, const DeadLetterRecord& parked) {
  Kind& kind = kinds_[KindWord(parked.letter)];
  ++kind.states[static_cast<size_t>(state)];
  kind.oldest = std::min(kind.oldest, parked.time);
  kind.newest = std::max(kind.newest, parked.time);
  if (options_.letters) PrintLetter(place, state, parked);
  if (++taken_ % kFlushEach == 0) FENSI_RETURN_IF_ERROR(FinishOutput());
  return true;
}

void Listing::PrintLetter(const Place& place, LetterState state, const DeadLetterRecord& parked) const {
  const std::string kind = KindWord(parked.letter);
  if (options_.json) {
    nlohmann::ordered_json json = {{"letter", PlaceText(place)},
                                   {"time", TimeText(parked.time)},
                                   {"kind", kind},
                                   {"state", NameOf(state)},
                                   {"retries", parked.letter.replays}};
    if (options_.rows) {
      json["row"] = Escape(parked.letter.row);
      json["reason"] = parked.letter.reason;
    }
    return Print(JsonLine(json));
  }
  std::string line = PlaceText(place) + " " + TimeText(parked.time) + " " + kind + " " + NameOf(state);
  if (parked.letter.replays > 0) line += ", sent again " + Counted(parked.letter.replays, "time") + " before";
  if (options_.rows)
    line += "  row " + Escape(parked.letter.row) + ": " + ReasonText(parked.letter) + ". " + RemedyText(parked.letter);
  Print(line + "\n");
}

void Listing::PrintKind(const std::string& name, const Kind& kind) const {
  if (options_.json) {
    nlohmann::ordered_json json = {{"kind", name}};
    for (size_t i = 0; i < kind.states.size(); ++i) json[kLetterStateNames[i]] = kind.states[i];
    json["oldest"] = TimeText(kind.oldest);
    json["newest"] = TimeText(kind.newest);
    return Print(JsonLine(json));
  }
  std::string line = "  " + name + ":";
  for (size_t i = 0; i < kind.states.size(); ++i) {
    if (kind.states[i] > 0) line += " " + WithCommas(kind.states[i]) + " " + kLetterStateNames[i] + ",";
  }
  Print(line + " oldest " + TimeText(kind.oldest) + ", newest " + TimeText(kind.newest) + "\n");
}

void Listing::PrintTotal() const {
  std::array<int64_t, kLetterStateNames.size()> all{};
  for (const auto& [name, kind] : kinds_) {
    for (size_t i = 0; i < all.size(); ++i) all[i] += kind.states[i];
  }
  if (options_.json) {
    nlohmann::ordered_json json = {{"index", chosen_.all().index()}};
    for (size_t i = 0; i < all.size(); ++i) json[kLetterStateNames[i]] = all[i];
    json["unreadable"] = chosen_.all().unreadable();
    json["of_other_indexes"] = chosen_.all().of_others();
    return Print(JsonLine(json));
  }
  std::string line = "index " + chosen_.all().index() + ", " + chosen_.all().name() + ": ";
  for (size_t i = 0; i < all.size(); ++i)
    line += (i == 0 ? "" : ", ") + WithCommas(all[i]) + " " + kLetterStateNames[i];
  if (chosen_.all().unreadable() > 0) line += "; " + Counted(chosen_.all().unreadable(), "message") + " skipped";
  if (chosen_.all().of_others() > 0)
    line += "; " + Counted(chosen_.all().of_others(), "dead letter") + " of other indexes";
  Print(line + "\n");
}

}  // namespace fensi::operations
