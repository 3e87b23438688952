#include "meta/index_record.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/bytes.h"
#include "base/text.h"
#include "meta/bulk_loads.h"

namespace fensi::meta {
namespace {

constexpr char kIncarnation[] = "incarnation", kDropped[] = "dropped ";
/// The remedy for two indexes under one name.
constexpr char kOneNameOneIndex[] =
    "Give one of the two indexes another name, or use another --meta_table for it. If the recorded index is no longer "
    "used, run 'fensi drop MAPPING INDEX … --execute' with the mapping file of the recorded index: this frees the name";
constexpr std::array kPhases = {Phase::kBuilding, Phase::kPartial, Phase::kLive, Phase::kRetired};

std::string Of(const char* what, const std::string& incarnation) { return std::string(what) + "/" + incarnation; }

/// The facts that are not recorded yet, without the name.
std::vector<Cell> Changed(const IndexDescriptor& facts, const VersionedMetaRow::Cells& known) {
  const std::pair<const char*, const std::string*> wanted[] = {{"table", &facts.table},
                                                               {"state_table", &facts.state_table},
                                                               {"source", &facts.source},
                                                               {"topic", &facts.topic},
                                                               {"fingerprint", &facts.fingerprint}};
  std::vector<Cell> changed;
  for (const auto& [name, value] : wanted) {
    const Cell* cell = FindCell(known, name);
    if (cell != nullptr && cell->value == *value) continue;
    const int64_t version = cell == nullptr ? VersionedMetaRow::kFirstVersion : cell->timestamp + 1;
    changed.push_back(VersionedMetaRow::CellOf(name, version, *value));
  }
  return changed;
}

IndexDescriptor FactsIn(const VersionedMetaRow::Cells& cells) {
  IndexDescriptor facts;
  const std::pair<const char*, std::string*> said[] = {
      {kIncarnation, &facts.incarnation}, {"table", &facts.table}, {"state_table", &facts.state_table},
      {"source", &facts.source},          {"topic", &facts.topic}, {"fingerprint", &facts.fingerprint}};
  for (const auto& [name, value] : said) {
    if (const Cell* cell = FindCell(cells, name); cell != nullptr) *value = cell->value;
  }
  return facts;
}

/// True if the known facts do not contradict the wanted ones.
bool MayBeOne(const IndexDescriptor& known, const IndexDescriptor& wanted) {
  if (known.incarnation.empty() || known.incarnation.starts_with(kDropped)) return true;
  if (known.incarnation == wanted.incarnation) return true;
  const auto same = [](const std::string& a, const std::string& b) { return a.empty() || b.empty() || a == b; };
  return same(known.table, wanted.table) && same(known.state_table, wanted.state_table) &&
         same(known.source, wanted.source);
}

}  // namespace

std::string FactsText(const IndexDescriptor& facts) {
  std::string text;
  const auto add = [&](const char* what, const std::string& value) {
    if (!value.empty()) text += (text.empty() ? "" : ", ") + std::string(what) + " " + Escape(value);
  };
  add("index table", facts.table);
  add("state table", facts.state_table);
  add("source table", facts.source);
  add("topic", facts.topic);
  add("fingerprint", facts.fingerprint);
  add("incarnation", facts.incarnation);
  return text;
}

const char* PhaseName(Phase phase) {
  switch (phase) {
    case Phase::kBuilding:
      return "building";
    case Phase::kPartial:
      return "partial";
    case Phase::kLive:
      return "live";
    case Phase::kRetired:
      return "retired";
  }
  return "";
}

Status IndexRecord::Register(const IndexDescriptor& facts) const {
  FENSI_ASSIGN_OR_RETURN(const VersionedMetaRow::Cells known, row_.ReadAll());
  FENSI_RETURN_IF_ERROR(CheckOwner(known, facts));
  std::vector<Cell> changed = Changed(facts, known);
  const Cell* named = FindCell(known, kIncarnation);
  if (named != nullptr && named->value == facts.incarnation) {
    for (const Cell& fact : changed) FENSI_RETURN_IF_ERROR(row_.Set(fact.qualifier, fact.value));
    return {};
  }
  // All at once, and only if no other process registered an index meanwhile.
  const auto before = named == nullptr ? std::nullopt : std::optional(*named);
  FENSI_ASSIGN_OR_RETURN(const Cell now, row_.Replace(kIncarnation, before, facts.incarnation, std::move(changed)));
  if (now.value == facts.incarnation) return {};
  return Status(StatusCode::kConfiguration,
                "table " + row_.table() + ", row " + row_.row() +
                    ": two processes registered an index under this name at the same moment. " +
                    "The table records incarnation " + Escape(now.value) + ", and this process has incarnation " +
                    facts.incarnation + ". " + kOneNameOneIndex);
}

Status IndexRecord::RegisterFirst(const IndexDescriptor& facts) const {
  FENSI_ASSIGN_OR_RETURN(const std::optional<IndexState> state, Read());
  if (!state.has_value() || state->incarnation == facts.incarnation) return Register(facts);
  return Status(StatusCode::kConfiguration, "table " + row_.table() + ", row " + row_.row() +
                                                ": a process began the index while this command ran. Run the same "
                                                "command again");
}

Status IndexRecord::CheckName(const IndexDescriptor& facts) const {
  FENSI_ASSIGN_OR_RETURN(const VersionedMetaRow::Cells known, row_.ReadAll());
  return CheckOwner(known, facts);
}

Status IndexRecord::CheckOwner(const VersionedMetaRow::Cells& cells, const IndexDescriptor& facts) const {
  const IndexDescriptor known = FactsIn(cells);
  // M21: a name belongs to one index of a meta table.
  if (MayBeOne(known, facts)) return {};
  return Status(StatusCode::kConfiguration,
                "table " + row_.table() + ", row " + Escape(row_.row()) +
                    ": this name is taken by another index. The table records: " + FactsText(known) +
                    ". Your mapping file has: " + FactsText(facts) + ". " + kOneNameOneIndex);
}

Result<std::optional<IndexState>> IndexRecord::Read() const {
  FENSI_ASSIGN_OR_RETURN(const VersionedMetaRow::Cells cells, row_.ReadAll());
  const Cell* named = FindCell(cells, kIncarnation);
  if (named == nullptr || named->value.starts_with(kDropped)) return std::optional<IndexState>();
  IndexState state{.incarnation = named->value};
  state.facts = FactsIn(cells);
  if (const Cell* phase = FindCell(cells, Of("phase", named->value)); phase != nullptr) {
    FENSI_ASSIGN_OR_RETURN(state.phase, PhaseIn(*phase));
  }
  const auto said = [&](const char* what) {
    const Cell* cell = FindCell(cells, Of(what, named->value));
    return cell == nullptr ? std::string() : cell->value;
  };
  state.backfilled = said("backfilled");
  state.scrubbed = said("scrubbed");
  state.verified = said("verified");
  state.dropping = said("dropping");
  state.basis = said("basis");
  state.bulk_loads = said("bulk_loads");
  FENSI_ASSIGN_OR_RETURN(state.complete, TimeIn(cells, Of("complete", named->value)));
  FENSI_ASSIGN_OR_RETURN(state.reached, TimeIn(cells, Of("reached", named->value)));
  state.reached = std::max(state.reached, state.complete);  // an older fensi writes only one
  return std::optional(std::move(state));
}

Status IndexRecord::SetPhase(const std::string& incarnation, Phase phase) const {
  const std::string value = PhaseName(phase);
  return row_.Set(Of("phase", incarnation), value, [&](const Cell& known) {
    if (known.value != PhaseName(Phase::kRetired)) return Status();
    return Status(StatusCode::kConfiguration,
                  "table " + row_.table() + ", row " + row_.row() +
                      ": the index is being dropped, so its phase cannot change from retired to " + value +
                      ". Run 'fensi drop MAPPING INDEX … --execute' again until it succeeds. Then create the index "
                      "again");
  });
}

Result<std::optional<Phase>> IndexRecord::Retire(const std::string& incarnation, const std::string& token) const {
  const std::string phase = Of("phase", incarnation), by = Of("retired_by", incarnation);
  Phase former = Phase::kBuilding;
  for (int tries = 0; tries < VersionedMetaRow::kMostTries; ++tries) {
    FENSI_ASSIGN_OR_RETURN(const VersionedMetaRow::Cells known, row_.Read({phase, by}));
    const Cell *now = FindCell(known, phase), *winner = FindCell(known, by);
    if (now != nullptr && now->value == PhaseName(Phase::kRetired)) {
      const bool ours = winner != nullptr && winner->value == token;
      return ours ? std::optional(former) : std::nullopt;
    }
    if (now != nullptr) {
      FENSI_ASSIGN_OR_RETURN(former, PhaseIn(*now));
    }
    // Both at once, so that of two drops that meet here only the first finds its token.
    FENSI_RETURN_IF_ERROR(row_.Replace(phase, now == nullptr ? std::nullopt : std::optional(*now),
                                       PhaseName(Phase::kRetired),
                                       {VersionedMetaRow::CellOf(by, VersionedMetaRow::kFirstVersion, token)})
                              .status());
  }
  return row_.TooManyTries(phase);
}

Status IndexRecord::UndoRetire(const std::string& incarnation, Phase phase) const {
  return row_.Set(Of("phase", incarnation), PhaseName(phase));
}

Result<bool> IndexRecord::IsRetired(const std::string& incarnation) const {
  FENSI_ASSIGN_OR_RETURN(const VersionedMetaRow::Cells known, row_.ReadAll());
  const Cell* named = FindCell(known, kIncarnation);
  if (named != nullptr && named->value == kDropped + incarnation) return false;
  const Cell* phase = FindCell(known, Of("phase", incarnation));
  const bool retired = phase != nullptr && phase->value == PhaseName(Phase::kRetired);
  if (named != nullptr && named->value == incarnation && retired) return true;
  return Status(StatusCode::kConfiguration,
                "table " + row_.table() + ", row " + row_.row() +
                    ": the index changed while this command dropped it: it was created again, its record was deleted, "
                    "or another 'fensi drop' gave up. This command drops nothing more. See what is left with the same "
                    "command without --execute");
}

Status IndexRecord::MarkDropping(const std::string& incarnation, const std::string& tables) const {
  return row_.Set(Of("dropping", incarnation), tables);
}

Status IndexRecord::NoteDropped(const std::string& incarnation) const {
  FENSI_ASSIGN_OR_RETURN(const VersionedMetaRow::Cells known, row_.ReadAll());
  const Cell* named = FindCell(known, kIncarnation);
  const std::string gone = kDropped + incarnation;
  const bool noted = named != nullptr && named->value == gone;
  if (named == nullptr || (named->value != incarnation && !noted)) return {};
  if (!noted) FENSI_RETURN_IF_ERROR(row_.Replace(kIncarnation, *named, gone).status());
  VersionedMetaRow::Cells said;
  for (const auto& [qualifier, cell] : known) {
    if (qualifier.find("/" + incarnation) != std::string::npos) said.emplace(qualifier, cell);
  }
  return row_.Forget(said);
}

Status IndexRecord::SetBackfilled(const std::string& incarnation, const std::string& text) const {
  return row_.Set(Of("backfilled", incarnation), text);
}

Status IndexRecord::SetScrubbed(const std::string& incarnation, const std::string& text) const {
  return row_.Set(Of("scrubbed", incarnation), text);
}

Status IndexRecord::SetVerified(const std::string& incarnation, const std::string& text) const {
  return row_.Set(Of("verified", incarnation), text);
}

Status IndexRecord::NoteComplete(const std::string& incarnation, int64_t time) const {
  return row_.Write(Of("complete", incarnation), time, std::to_string(time));
}

Result<std::optional<int64_t>> IndexRecord::NoteMarks(const std::string& incarnation, const Marks& marks) const {
  const auto place = [&](int32_t partition) { return Of("mark", incarnation) + "/" + std::to_string(partition); };
  std::vector<Cell> cells;
  int64_t newest = 0;
  for (const auto& [partition, time] : marks.by_partition) {
    cells.push_back(VersionedMetaRow::CellOf(place(partition), time, std::to_string(time)));
    newest = std::max(newest, time);
  }
  cells.push_back(VersionedMetaRow::CellOf(Of("basis", incarnation), newest, marks.basis));
  if (!marks.bulk_loads.empty()) {
    cells.push_back(VersionedMetaRow::CellOf(Of("bulk_loads", incarnation), newest, marks.bulk_loads));
  }
  FENSI_RETURN_IF_ERROR(row_.Write(std::move(cells)));
  FENSI_ASSIGN_OR_RETURN(const VersionedMetaRow::Cells known, row_.ReadAll());
  if (const Cell* named = FindCell(known, kIncarnation); named == nullptr || named->value != incarnation) {
    const std::string has =
        named == nullptr
            ? " has no column i:" + std::string(kIncarnation) + ", probably because a person deleted the column"
            : " names incarnation " + Escape(named->value) + " in column i:" + kIncarnation + ", and the index has " +
                  incarnation;
    return Status(StatusCode::kNotFound, "table " + row_.table() + ", row " + Escape(row_.row()) + has +
                                             ". fensi writes the column again by itself");
  }
  FENSI_ASSIGN_OR_RETURN(const std::optional<int64_t> before, TimeIn(known, Of("complete", incarnation)));
  std::optional<int64_t> complete;
  for (int32_t partition = 0; partition < marks.partitions; ++partition) {
    const Cell* mark = FindCell(known, place(partition));
    // M20: an index is as complete as its least known partition.
    if (mark == nullptr) return before;  // not owned, or its owner does not know yet
    const std::optional<int64_t> time = ParseWhole<int64_t>(mark->value);
    if (!time) return Broken(*mark);
    complete = std::min(complete.value_or(*time), *time);
  }
  if (!complete) return before;
  FENSI_RETURN_IF_ERROR(row_.Write(Of("reached", incarnation), *complete, std::to_string(*complete)));
  // M27: read after the watermarks. A partition that has passed a load had recorded the load before.
  FENSI_ASSIGN_OR_RETURN(const int64_t first_load, FirstLoad(incarnation));
  complete = std::min(*complete, first_load - 1);
  if (*complete < 0) return before;
  FENSI_RETURN_IF_ERROR(NoteComplete(incarnation, *complete));
  return std::max(complete, before);
}

Result<int64_t> IndexRecord::FirstLoad(const std::string& incarnation) const {
  const std::string name = row_.row().substr(IndexRow("").size());
  FENSI_ASSIGN_OR_RETURN(const std::vector<LoadedRegion> loads,
                         BulkLoads(row_.Beside(LoadsRow(name)), incarnation).Waiting());
  int64_t first = INT64_MAX;
  for (const LoadedRegion& load : loads) first = std::min(first, load.written);
  return first;
}

Result<std::optional<int64_t>> IndexRecord::TimeIn(const VersionedMetaRow::Cells& cells,
                                                   const std::string& column) const {
  const Cell* cell = FindCell(cells, column);
  if (cell == nullptr) return std::optional<int64_t>();
  const std::optional<int64_t> time = ParseWhole<int64_t>(cell->value);
  return time ? Result<std::optional<int64_t>>(time) : Result<std::optional<int64_t>>(Broken(*cell));
}

Result<Phase> IndexRecord::PhaseIn(const Cell& cell) const {
  const auto found =
      std::find_if(kPhases.begin(), kPhases.end(), [&](Phase each) { return cell.value == PhaseName(each); });
  return found == kPhases.end() ? Result<Phase>(Broken(cell)) : Result<Phase>(*found);
}

Status IndexRecord::Broken(const Cell& cell) const {
  return UnknownValue(row_.table(), row_.row(), cell.qualifier, cell.value);
}

}  // namespace fensi::meta
