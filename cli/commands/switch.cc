#include <algorithm>
#include <memory>
#include <optional>

#include "base/bytes.h"
#include "cli/access/position.h"
#include "cli/access/stores.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/mappings/mapping_files.h"
#include "cli/program/output.h"
#include "cli/redefinition/alias.h"
#include "cli/redefinition/own_name.h"
#include "cli/redefinition/proof.h"
#include "cli/verify/verified.h"
#include "indexer/index_meta.h"
#include "indexer/index_table.h"
#include "indexer/remedies.h"
#include "meta/index_record.h"
#include "meta/meta_table.h"

namespace fensi::cli {
namespace {

using mapping::Index;
using meta::Alias;
using meta::IndexName;
using meta::SharedRow;

// M22: a mark that is older is of an index that nobody keeps, or whose stream stands still.
constexpr int64_t kOldestMarkMillis = 60'000;

Status CheckDirection() {
  if ((FLAGS_to.empty() ? 0 : 1) + FLAGS_back + FLAGS_remove != 1) {
    return Status(
        StatusCode::kInvalidArgument,
        "where to? Either --to INDEX, or --back to the index that was read by this alias before, or --remove");
  }
  if (FLAGS_remove && (FLAGS_unverified || !FLAGS_from_report.empty())) {
    return Status(StatusCode::kInvalidArgument, "--from_report and --unverified do not go with --remove");
  }
  if (FLAGS_back && !FLAGS_from_report.empty()) {
    return Status(StatusCode::kInvalidArgument, "--from_report does not go with --back, which needs no report");
  }
  return Status();
}

/// What is known of an index, for people and to judge by.
struct KnownIndex {
  std::string index;
  std::optional<meta::IndexState> state;  // absent: nobody registered it
};

std::string KnownText(const KnownIndex& known) {
  std::string text = "index " + Escape(known.index) + ": ";
  if (!known.state) return text + "not known";
  text += std::string("phase ") + meta::PhaseName(known.state->phase) + ", ";
  text += known.state->complete ? "complete to " + TimeText(*known.state->complete) : "no mark of how complete it is";
  const std::string verified = ShownVerified(known.state->verified);
  return verified.empty() ? text : text + ", " + verified;
}

/// One switch from the command line.
class Switching {
 public:
  Switching(std::string alias, std::unique_ptr<store::Store> store)
      : alias_(std::move(alias)),
        store_(std::move(store)),
        record_(SharedRow(store_.get(), FLAGS_meta_table, meta::AliasRow(alias_))) {}

  /// Also where its row is none that can be read.
  Result<int> Remove() {
    const Result<std::optional<Alias>> known = record_.Read();
    if (!known.ok() && known.status().code() != StatusCode::kInternal) return known.status();
    if (known.ok() && !known->has_value()) return Status(StatusCode::kConfiguration, "there is no alias " + alias_);
    Print("alias " + alias_ + "\n  now   " +
          (known.ok() ? "names index " + Escape((*known)->current.index) : "broken: " + known.status().message()) +
          "\n  then  names no index: who reads by it is refused\n");
    if (!FLAGS_execute) {
      Say("switch: nothing was done; the same line with --execute does it");
      return kExitDone;
    }
    FENSI_RETURN_IF_ERROR(record_.Remove().status());
    Say("switch: alias " + alias_ + " names no index from now on; --to names one again");
    return kExitDone;
  }

  Result<int> Run(const std::vector<mapping::Mapping>& mappings) {
    const Result<std::optional<Alias>> known = record_.Read();
    FENSI_RETURN_IF_ERROR(known.status());
    known_ = *known;
    FENSI_RETURN_IF_ERROR(FindTarget(mappings));
    FENSI_RETURN_IF_ERROR(LookAtBoth());
    PrintPlan();
    if (known_ && known_->current == to_) {
      Say("switch: nothing to do; alias " + alias_ + " names index " + to_.index);
      return kExitDone;
    }
    FENSI_RETURN_IF_ERROR(Judge());
    if (!FLAGS_execute) {
      Say("switch: nothing was done; the same line with --execute does it");
      return kExitDone;
    }
    FENSI_RETURN_IF_ERROR(record_.Switch(known_, to_));
    FENSI_RETURN_IF_ERROR(LookAgain());
    Say("switch: alias " + alias_ + " names index " + to_.index + " from now on" +
        (known_ ? "; --back goes back to " + Escape(known_->current.index) : ""));
    return kExitDone;
  }

 private:
  Status FindTarget(const std::vector<mapping::Mapping>& mappings) {
    std::string name = FLAGS_to;
    if (FLAGS_back) {
      if (!known_) return Status(StatusCode::kConfiguration, "there is no alias " + alias_ + " that could go back");
      if (!known_->former) {
        return Status(StatusCode::kConfiguration,
                      "alias " + alias_ + " has named index " + Escape(known_->current.index) + " and no other");
      }
      name = known_->former->index;
    }
    const auto index = OneIndex(mappings, name);
    if (!index.ok() && FLAGS_back) return index.status().WithContext("the former index of alias " + alias_);
    FENSI_RETURN_IF_ERROR(index.status());
    index_ = *index;
    return RequireOwnName(*index_, store_.get());
  }

  Result<KnownIndex> KnownOf(const std::string& index) const {
    const auto state = meta::IndexRecord(SharedRow(store_.get(), FLAGS_meta_table, meta::IndexRow(index))).Read();
    FENSI_RETURN_IF_ERROR(state.status());
    return KnownIndex{index, *state};
  }

  Status LookAtBoth() {
    Result<KnownIndex> wanted = KnownOf(index_->name());
    FENSI_RETURN_IF_ERROR(wanted.status());
    new_ = std::move(*wanted);
    to_ = {index_->name(), new_.state ? new_.state->incarnation : ""};
    if (!known_) return Status();
    Result<KnownIndex> current = KnownOf(known_->current.index);
    FENSI_RETURN_IF_ERROR(current.status());
    old_ = std::move(*current);
    return Status();
  }

  void PrintPlan() const {
    Print("alias " + alias_ + "\n  now   " + (old_ ? KnownText(*old_) : "names no index") + "\n  then  " +
          KnownText(new_) + "\n");
  }

  /// M22. kConfiguration with all that is missing.
  Status Judge() const {
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
      if (!FLAGS_back) FENSI_RETURN_IF_ERROR(add(CheckProof()));
    }
    if (missing.empty()) return Status();
    return Status(StatusCode::kConfiguration,
                  "alias " + alias_ + " cannot name index " + index_->name() + ":" + missing);
  }

  bool IsBeingDropped() const { return new_.state && new_.state->phase == meta::Phase::kRetired; }

  Status CheckIsLive() const {
    if (!new_.state) {
      return Status(StatusCode::kConfiguration,
                    "table " + FLAGS_meta_table + " does not know it: 'fensi run' of it, then 'fensi backfill'");
    }
    if (new_.state->phase == meta::Phase::kLive) return Status();
    return Status(StatusCode::kConfiguration,
                  std::string("its phase is ") + meta::PhaseName(new_.state->phase) +
                      (IsBeingDropped() ? ": it is being dropped. --to names another one"
                                        : ", not live: 'fensi backfill' brings in all rows"));
  }

  /// The tables, this mapping and what stands in the meta table are of one index.
  Status CheckIsTheSame() const {
    const Result<std::optional<indexer::IndexMeta::Begun>> begun =
        indexer::IndexMeta(index_.get(), store_.get()).Known();
    if (begun.status().code() == StatusCode::kNotFound) {
      return Status(StatusCode::kConfiguration, "its state table " + index_->state_table() + " is missing");
    }
    FENSI_RETURN_IF_ERROR(begun.status());
    const std::string incarnation = begun->has_value() ? (*begun)->incarnation : "";
    if (new_.state && incarnation != new_.state->incarnation) {
      return Status(StatusCode::kConfiguration,
                    "it was made anew, and nobody has told table " + FLAGS_meta_table + " yet: 'fensi run' of it");
    }
    if (!FLAGS_back || known_->former->incarnation == incarnation) return Status();
    return Status(StatusCode::kConfiguration,
                  "it was made anew since alias " + alias_ +
                      " named it: --to, with a report of 'fensi verify', names the new one");
  }

  /// Also where no daemon has looked at the table since it was made again.
  Status CheckTable() const {
    const auto seen = indexer::IndexTable(index_.get(), store_.get()).LookOrNoted();
    const StatusCode code = seen.status().code();
    if (code == StatusCode::kNotFound || code == StatusCode::kInternal) return Status();
    FENSI_RETURN_IF_ERROR(seen.status());
    if (!indexer::IsMismatch(*seen)) return Status();
    return Status(StatusCode::kConfiguration, "it is 'mismatch'. " + indexer::MadeAgainText(*index_));
  }

  Status CheckMark() const {
    if (FLAGS_unverified || !new_.state) return Status();
    constexpr char kWaive[] = "; --unverified switches all the same";
    if (!new_.state->complete) {
      return Status(
          StatusCode::kConfiguration,
          std::string("nothing shows that it follows its source: it has no mark (see 'fensi wait')") + kWaive);
    }
    const int64_t now = SystemClock()->WallMillis();
    if (*new_.state->complete > now + kOldestMarkMillis) {
      return Status(StatusCode::kConfiguration, "its mark is of the future (" + TimeText(*new_.state->complete) +
                                                    "): is this machine's clock right?" + kWaive);
    }
    if (*new_.state->complete >= now - kOldestMarkMillis) return Status();
    const int64_t age = now - std::max<int64_t>(*new_.state->complete, 0);
    return Status(StatusCode::kConfiguration, "its mark is " + DurationText(age / 1000) +
                                                  " old: does 'fensi run' of it work, and 'fensi capture'?" + kWaive);
  }

  /// A report that is given counts, waived or not.
  Status CheckProof() const {
    if (FLAGS_from_report.empty()) {
      if (FLAGS_unverified) return Status();
      return Status(StatusCode::kConfiguration,
                    "nothing shows that it is what its source says: 'fensi verify … --report FILE', then --from_report "
                    "FILE; --unverified switches without it");
    }
    const Result<Proof> proof = ReadProof(FLAGS_from_report, *index_, to_.incarnation, SystemClock()->WallMillis());
    FENSI_RETURN_IF_ERROR(proof.status());
    if (!proof->fault.empty()) return Status(StatusCode::kConfiguration, proof->fault);
    Print("        " + proof->text + "\n");
    return Status();
  }

  /// Who drops an index retires it before he looks for aliases; so of both that do it at once one sees the other.
  Status LookAgain() const {
    const Result<KnownIndex> now = KnownOf(to_.index);
    FENSI_RETURN_IF_ERROR(now.status());
    if (now->state && now->state->phase != meta::Phase::kRetired) return Status();
    return Status(StatusCode::kConfiguration, "alias " + alias_ + " names index " + to_.index +
                                                  ", which somebody drops at this moment: " +
                                                  (known_ ? "go back with --back" : "name another one with --to"));
  }

  const std::string alias_;
  const std::unique_ptr<store::Store> store_;
  const meta::AliasRecord record_;
  std::optional<Alias> known_;
  std::shared_ptr<const Index> index_;
  IndexName to_;
  KnownIndex new_;
  std::optional<KnownIndex> old_;
};

Result<int> Switch(const Arguments& arguments) {
  FENSI_RETURN_IF_ERROR(CheckDirection());
  FENSI_RETURN_IF_ERROR(CheckAliasName(arguments[1]));
  const Result<std::vector<mapping::Mapping>> mappings = LoadMappings({arguments[0]});
  FENSI_RETURN_IF_ERROR(mappings.status());
  if (!FLAGS_to.empty()) FENSI_RETURN_IF_ERROR(OneIndex(*mappings, FLAGS_to).status());
  Result<std::unique_ptr<store::Store>> store = FLAGS_execute ? OpenStoreToWrite() : OpenStoreToReadAny();
  FENSI_RETURN_IF_ERROR(store.status());
  const Status meta = RequireTable(store->get(), FLAGS_meta_table).status();
  if (!meta.ok()) return meta.WithContext("the table of aliases and marks");
  Switching switching(arguments[1], std::move(*store));
  return FLAGS_remove ? switching.Remove() : switching.Run(*mappings);
}

}  // namespace

Command SwitchCommand() {
  Command command;
  command.name = "switch";
  command.summary = "let applications read another index by the same name";
  command.arguments = "MAPPING ALIAS";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "An alias is a name in the meta table that says which index is read: 'fensi lookup MAPPING @ALIAS' and "
      "applications follow it. --to names the index, --back the one before. Without --execute it shows both, their "
      "phases and how complete they are. Exit code 78, with all that is missing, unless the new index is live and no "
      "'mismatch', its mark is at most a minute old, and --from_report names a report of 'fensi verify' of all its "
      "rows, at most a "
      "day old, that found nothing; --unverified waives mark and report. --back asks for no report: that index was "
      "read before. --remove lets the alias name nothing, also where a person broke its row. The index that is not "
      "read any more goes on as it was, until 'fensi drop'.";
  command.flags = {{"store", true}, {"to"},      {"back"},       {"from_report"},      {"unverified"},
                   {"remove"},      {"execute"}, {"meta_table"}, {"connect_timeout_s"}};
  command.examples = {
      {"fensi switch guanzhu.yaml fans --to fensi --from_report fensi.jsonl --store hbase://127.0.0.1:9090",
       "what would be done, and what is missing"},
      {"fensi switch guanzhu.yaml fans --to fensi --from_report fensi.jsonl --store hbase://127.0.0.1:9090 --execute",
       "from now on applications read fensi"},
      {"fensi switch guanzhu.yaml fans --back --store hbase://127.0.0.1:9090 --execute", "the index before"}};
  command.run = Switch;
  return command;
}

}  // namespace fensi::cli
