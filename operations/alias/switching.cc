#include "operations/alias/switching.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/shown_text.h"
#include "indexer/index_meta.h"
#include "indexer/index_table.h"
#include "indexer/remedies.h"
#include "operations/access/position.h"
#include "operations/alias/proof.h"
#include "operations/console/console.h"
#include "operations/mappings/mapping_files.h"
#include "operations/tables/taken_names.h"
#include "operations/verify/verified.h"

namespace fensi::operations {
namespace {

using mapping::Index;
using meta::Alias;
using meta::VersionedMetaRow;

// M22: an older watermark is of an index that no daemon maintains, or whose stream stands still.
constexpr int64_t kOldestMarkMillis = 60'000;

std::string KnownText(const KnownIndex& known) {
  std::string text = "index " + Escape(known.index) + ": ";
  if (!known.state) return text + "not known";
  text += std::string("phase ") + meta::PhaseName(known.state->phase) + ", ";
  text += known.state->complete ? "complete to " + TimeText(*known.state->complete) : "no watermark";
  const std::string verified = ShownVerified(known.state->verified);
  return verified.empty() ? text : text + ", " + verified;
}

}  // namespace

Result<int> Switching::Remove() {
  const Result<std::optional<Alias>> known = record_.Read();
  if (!known.ok() && known.status().code() != StatusCode::kInternal) return known.status();
  if (known.ok() && !known->has_value())
    return Status(StatusCode::kConfiguration,
                  "there is no alias " + alias_ + " to remove. Check the name, --store and --meta_table");
  Print("alias " + alias_ + "\n  now   " +
        (known.ok() ? "names index " + Escape((*known)->current.index) : "broken: " + known.status().message()) +
        "\n  then  names no index: readers of the alias get an error\n");
  if (!options_.execute) {
    SayDryRun("switch", "remove the alias");
    return kExitDone;
  }
  FENSI_RETURN_IF_ERROR(record_.Remove().status());
  Say("switch: alias " + alias_ + " names no index from now on. To name an index again: 'fensi switch MAPPING " +
      alias_ + " --to INDEX --from_report FILE --execute'");
  return kExitDone;
}

Result<int> Switching::Run(const std::vector<mapping::Mapping>& mappings) {
  FENSI_ASSIGN_OR_RETURN(known_, record_.Read());
  FENSI_RETURN_IF_ERROR(FindTarget(mappings));
  FENSI_RETURN_IF_ERROR(LookAtBoth());
  PrintPlan();
  if (known_ && known_->current == to_) {
    Say("switch: nothing to do; alias " + alias_ + " names index " + to_.index);
    return kExitDone;
  }
  FENSI_RETURN_IF_ERROR(Judge());
  if (!options_.execute) {
    SayDryRun("switch", "switch the alias");
    return kExitDone;
  }
  FENSI_RETURN_IF_ERROR(record_.Switch(known_, to_));
  FENSI_RETURN_IF_ERROR(RereadSource());
  Say("switch: alias " + alias_ + " names index " + to_.index + " from now on" +
      (known_ ? ". To go back to index " + Escape(known_->current.index) + ": 'fensi switch MAPPING " + alias_ +
                    " --back --execute'"
              : ""));
  return kExitDone;
}

Status Switching::FindTarget(const std::vector<mapping::Mapping>& mappings) {
  std::string name = options_.to;
  if (options_.back) {
    if (!known_)
      return Status(StatusCode::kConfiguration, "alias " + alias_ +
                                                    " does not exist, so that it has no former index. Correct the name "
                                                    "of the alias, or make the alias with --to "
                                                    "INDEX in place of --back");
    if (!known_->former) {
      return Status(StatusCode::kConfiguration, "alias " + alias_ + " has no former index: it has only named " +
                                                    Escape(known_->current.index) +
                                                    ". Name an index with --to INDEX in place of --back");
    }
    name = known_->former->index;
  }
  const auto index = OneIndex(mappings, name);
  if (!index.ok() && options_.back) return index.status().WithContext("the former index of alias " + alias_);
  FENSI_RETURN_IF_ERROR(index.status());
  index_ = *index;
  return RequireOwnName(*index_, store_.get(), options_.meta_table);
}

Result<KnownIndex> Switching::KnownOf(const std::string& index) const {
  const VersionedMetaRow row(store_.get(), options_.meta_table, meta::IndexRow(index));
  FENSI_ASSIGN_OR_RETURN(const std::optional<meta::IndexState> state, meta::IndexRecord(row).Read());
  return KnownIndex{index, state};
}

Status Switching::LookAtBoth() {
  FENSI_ASSIGN_OR_RETURN(new_, KnownOf(index_->name()));
  to_ = {index_->name(), new_.state ? new_.state->incarnation : ""};
  if (!known_) return Status();
  FENSI_ASSIGN_OR_RETURN(old_, KnownOf(known_->current.index));
  return Status();
}

void Switching::PrintPlan() const {
  Print("alias " + alias_ + "\n  now   " + (old_ ? KnownText(*old_) : "names no index") + "\n  then  " +
        KnownText(new_) + "\n");
}

Status Switching::Judge() const {
  std::string missing;
  const auto add = [&](const Status& status) {
    if (status.code() == StatusCode::kConfiguration) missing += "\n  " + status.message();
    return status.code() == StatusCode::kConfiguration ? Status() : status;
  };
  FENSI_RETURN_IF_ERROR(add(CheckIsLive()));
  if (!IsBeingDropped()) {  // its tables are disabled, or gone: a look at them would only wait
    FENSI_RETURN_IF_ERROR(add(CheckIsTheSame()));
    FENSI_RETURN_IF_ERROR(add(CheckTable()));
    FENSI_RETURN_IF_ERROR(add(CheckMark()));
    if (!options_.back) FENSI_RETURN_IF_ERROR(add(CheckProof()));
  }
  if (missing.empty()) return Status();
  return Status(StatusCode::kConfiguration, "alias " + alias_ + " cannot name index " + index_->name() + ":" + missing);
}

Status Switching::CheckIsLive() const {
  if (!new_.state) {
    return Status(
        StatusCode::kConfiguration,
        "table " + options_.meta_table +
            " has no record of the index. Start 'fensi run' for the index, then run 'fensi backfill MAPPING " +
            index_->name() + " --execute'");
  }
  // M22: only an index whose whole source was scanned.
  if (new_.state->phase == meta::Phase::kLive) return Status();
  const std::string phase = std::string("its phase is ") + meta::PhaseName(new_.state->phase);
  if (IsBeingDropped()) {
    return Status(StatusCode::kConfiguration, phase + ": the index is being dropped. Name another index with --to");
  }
  return Status(StatusCode::kConfiguration, phase + ", not live. Run 'fensi backfill MAPPING " + index_->name() +
                                                " --execute', and wait until it ends");
}

Status Switching::CheckIsTheSame() const {
  const Result<std::optional<indexer::IndexMeta::Begun>> begun = indexer::IndexMeta(index_.get(), store_.get()).Known();
  if (begun.status().code() == StatusCode::kNotFound) {
    return Status(StatusCode::kConfiguration, "its state table " + index_->state_table() +
                                                  " is missing. 'fensi check MAPPING --online --store URL' shows what "
                                                  "is wrong. Or name another index with --to");
  }
  FENSI_RETURN_IF_ERROR(begun.status());
  const std::string incarnation = begun->has_value() ? (*begun)->incarnation : "";
  if (incarnation.empty()) {
    if (!new_.state) return Status();  // CheckIsLive has said so
    return Status(StatusCode::kConfiguration, "its state table " + index_->state_table() +
                                                  " has no record of the index, because the index was dropped, or a "
                                                  "person deleted the record. Start 'fensi run' for the index, or name "
                                                  "another index with --to");
  }
  if (new_.state && incarnation != new_.state->incarnation) {
    return Status(StatusCode::kConfiguration, "the index was dropped and created again, and table " +
                                                  options_.meta_table +
                                                  " has no record of the new index yet. Start 'fensi run' for it");
  }
  // M22: the alias goes back to the index that it named, not to a later one of the same name.
  if (!options_.back || known_->former->incarnation == incarnation) return Status();
  return Status(StatusCode::kConfiguration, "the index was dropped and created again since alias " + alias_ +
                                                " named it. Run 'fensi verify MAPPING " + index_->name() +
                                                " --report FILE', then switch with --to " + index_->name() +
                                                " --from_report FILE in place of --back");
}

Status Switching::CheckTable() const {
  const auto seen = indexer::IndexTable(index_.get(), store_.get()).LookOrNoted();
  const StatusCode code = seen.status().code();
  if (code == StatusCode::kNotFound || code == StatusCode::kInternal) return Status();
  FENSI_RETURN_IF_ERROR(seen.status());
  if (!indexer::IsMismatch(*seen)) return Status();
  return Status(StatusCode::kConfiguration, "the index is 'mismatch'. " + indexer::MadeAgainText(*index_));
}

Status Switching::CheckMark() const {
  if (options_.skip_verification || !new_.state) return Status();
  constexpr char kWaive[] = ". --skip_verification switches all the same: readers may then miss new changes";
  if (!new_.state->complete) {
    return Status(StatusCode::kConfiguration,
                  "the index has no watermark, so nothing shows that it follows its source. Run 'fensi wait MAPPING " +
                      index_->name() + " --until now': it names what is missing" + kWaive);
  }
  const int64_t now = SystemClock()->WallMillis();
  // M22: a watermark in the future does not show that the index follows.
  if (*new_.state->complete > now + kOldestMarkMillis) {
    return Status(StatusCode::kConfiguration, "its watermark is in the future (" + TimeText(*new_.state->complete) +
                                                  "). " + indexer::kCompareClocks + kWaive);
  }
  // M22: the watermark is at most a minute old.
  if (*new_.state->complete >= now - kOldestMarkMillis) return Status();
  const int64_t age = now - std::max<int64_t>(*new_.state->complete, 0);
  if (new_.state->reached > now - kOldestMarkMillis) {
    return Status(StatusCode::kConfiguration, "its watermark is " + DurationText(age / 1000) +
                                                  " old, because the index still reads the rows of a bulk load. Wait "
                                                  "until 'fensi status' shows no bulk load of the index" +
                                                  kWaive);
  }
  return Status(StatusCode::kConfiguration, "its watermark is " + DurationText(age / 1000) +
                                                " old. Read the logs of its 'fensi run' and of 'fensi capture'" +
                                                kWaive);
}

Status Switching::CheckProof() const {
  if (options_.report.empty()) {
    if (options_.skip_verification) return Status();
    return Status(StatusCode::kConfiguration,
                  "nothing shows that the index agrees with its source. Run 'fensi verify MAPPING " + index_->name() +
                      " --report FILE', then switch with --from_report FILE. --skip_verification switches without a "
                      "report: readers may then find wrong entries");
  }
  FENSI_ASSIGN_OR_RETURN(const Proof proof,
                         ReadProof(options_.report, *index_, to_.incarnation, SystemClock()->WallMillis()));
  if (!proof.fault.empty()) return Status(StatusCode::kConfiguration, proof.fault);
  Print("        " + proof.text + "\n");
  return Status();
}

Status Switching::RereadSource() const {
  FENSI_ASSIGN_OR_RETURN(const KnownIndex now, KnownOf(to_.index));
  const bool same = now.state && now.state->incarnation == to_.incarnation;
  if (same && now.state->phase != meta::Phase::kRetired) return Status();
  return Status(StatusCode::kConfiguration,
                "alias " + alias_ + " names index " + to_.index +
                    ", which was dropped, or is being dropped now. Run 'fensi switch MAPPING " + alias_ +
                    (known_ ? " --back --execute'" : " --to INDEX --from_report FILE --execute' for another index"));
}

}  // namespace fensi::operations
