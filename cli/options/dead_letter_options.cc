#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "base/shown_text.h"
#include "cli/flags/flags.h"
#include "cli/options/daemon_options.h"
#include "cli/options/operations_options.h"
#include "cli/program/command.h"
#include "operations/access/flag_faults.h"

namespace fensi::cli {
namespace {

constexpr std::string_view kFile = "file:";

/// A flag file or the environment may have both places; what is typed goes before them.
bool InAFile() {
  return FLAGS_dead_letters.starts_with(kFile) && (FlagIsTyped("dead_letters") || !FlagIsTyped("source"));
}

/// The flags that an action takes and not every other one does.
struct LetterAction {
  std::string name;
  std::vector<FlagUse> flags;

  bool Takes(const std::string& flag) const {
    return std::any_of(flags.begin(), flags.end(), [&](const FlagUse& use) { return use.name == flag; });
  }
};

const std::vector<LetterAction>& Actions() {
  static const std::vector<LetterAction> actions = {
      {"list", FlagUses("letters rows kind row since until state json")},
      {"show", FlagUses("json kafka_format")},
      {"retry", FlagUses("kind row since until state all max force reason wait_s execute kafka_format store")},
      {"discard", FlagUses("kind row since until state all max reason execute")},
  };
  return actions;
}

/// Letters of a file have no ledger.
Status RequireTopic(const std::string& action) {
  if (!InAFile()) return Status();
  const std::string path = FLAGS_dead_letters.substr(kFile.size());
  return InvalidArgument(
      "'fensi dead-letters " + action + "' needs dead letters in a topic, and " + path + " is a file. " +
      (action == "discard" ? "Move the file away, or delete lines from the file, while no process writes to the file"
                           : "'fensi help Retry dead letters of a file' shows the steps for a file"));
}

}  // namespace

Status CheckLetterAction(const std::string& action) {
  std::vector<std::string> names;
  for (const LetterAction& each : Actions()) names.push_back(each.name);
  const auto asked = std::find(names.begin(), names.end(), action);
  if (asked == names.end()) {
    return InvalidArgument("'" + action + "' is no action of 'fensi dead-letters': write list, show, retry or discard" +
                           DidYouMean(action, names));
  }
  const LetterAction& taken = Actions()[static_cast<size_t>(asked - names.begin())];
  for (const LetterAction& other : Actions()) {
    for (const FlagUse& flag : other.flags) {
      if (taken.Takes(flag.name) || !FlagIsTyped(flag.name)) continue;
      return InvalidArgument("'fensi dead-letters " + action + "' has no --" + flag.name +
                             ": leave it out ('fensi "
                             "dead-letters " +
                             other.name + "' has it)");
    }
  }
  return Status();
}

Result<operations::LettersPlace> ReadLettersPlace() {
  if (FlagIsTyped("dead_letters") && FlagIsTyped("source")) {
    return InvalidArgument(
        "--source and --dead_letters name two places of dead letters: give --source for a topic, or --dead_letters "
        "for a file");
  }
  if (InAFile()) return operations::LettersPlace{FLAGS_dead_letters.substr(kFile.size()), {}};
  if (ReadSourceOptions().is_kafka()) return operations::LettersPlace{"", ReadSourceKafkaOptions()};
  return InvalidArgument("name where the dead letters are: --source=kafka://HOST:PORT, or --dead_letters=file:PATH");
}

Result<operations::LetterFilter> ReadListFilter() {
  if (FLAGS_rows && !FLAGS_letters) return operations::FlagRequires("--rows", "--letters");
  FENSI_ASSIGN_OR_RETURN(operations::LetterFilter filter, operations::LetterFilter::Of(ReadLetterFilterOptions(), {}));
  if (FLAGS_letters && FLAGS_state.empty()) filter.state = operations::LetterState::kOpen;
  return filter;
}

Result<operations::LetterFilter> ReadActionFilter(const std::string& action,
                                                  const std::vector<std::string>& positions) {
  FENSI_RETURN_IF_ERROR(RequireTopic(action));
  FENSI_RETURN_IF_ERROR(ReadLettersPlace().status());
  FENSI_ASSIGN_OR_RETURN(operations::LetterFilter filter,
                         operations::LetterFilter::Of(ReadLetterFilterOptions(), positions));
  if (!filter.given()) {
    return InvalidArgument(
        "name the dead letters: give PARTITION/OFFSET of each dead letter, or --kind, --row, --since, --until or "
        "--all");
  }
  if (FLAGS_state.empty() && filter.places.empty()) filter.state = operations::LetterState::kOpen;
  return filter;
}

Result<operations::ReplayWish> ReadRetryWish(operations::LetterFilter filter) {
  if (FLAGS_store.empty()) {
    return InvalidArgument(
        "--store is missing: give the store of the index. fensi reads there whether the daemons have applied the "
        "retried events");
  }
  if (operations::StoreIsEmbedded(FLAGS_store)) {
    return InvalidArgument(
        "dead letters of an index in an embedded store cannot be retried, because 'fensi run' has the store open. Stop "
        "'fensi run', then correct the rows: 'fensi repair MAPPING INDEX ROW… --store=" +
        FLAGS_store + " --execute'");
  }
  return operations::ReplayWish{.store = ReadStoreOptions(),
                                .kafka = ReadSourceKafkaOptions(),
                                .filter = std::move(filter),
                                .ended_too = !FLAGS_state.empty(),
                                .most = FLAGS_max,
                                .force = FLAGS_force,
                                .execute = FLAGS_execute,
                                .reason = FLAGS_reason,
                                .wait = std::chrono::seconds(FLAGS_wait_s),
                                .format = FormatOfFlag(),
                                .say_the_line = {}};
}

}  // namespace fensi::cli
