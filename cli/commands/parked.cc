#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/counted.h"
#include "cli/access/kafka.h"
#include "cli/access/stores.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/jobs/stop_limit.h"
#include "cli/mappings/mapping_files.h"
#include "cli/parked/dropping.h"
#include "cli/parked/ledger_writer.h"
#include "cli/parked/listing.h"
#include "cli/parked/replay_run.h"
#include "cli/parked/showing.h"
#include "cli/program/output.h"
#include "cli/program/suggest.h"
#include "cli/program/who.h"
#include "cli/run/signals.h"
#include "cli/run/sources.h"
#include "consumer/kafka/placed_producer.h"

namespace fensi::cli {
namespace {

constexpr std::string_view kFile = "file:";

/// A flag file or the environment may have both places; what is typed goes before them.
bool InAFile() {
  return FLAGS_dead_letters.starts_with(kFile) && (FlagIsTyped("dead_letters") || !FlagIsTyped("source"));
}

/// Flags that only some of the actions take.
struct Action {
  std::string name;
  std::vector<std::string> flags;
};

const std::vector<Action>& Actions() {
  static const std::vector<Action> actions = {
      {"list", {"letters", "rows", "kind", "row", "since", "until", "state", "json"}},
      {"show", {"json", "kafka_format"}},
      {"replay",
       {"kind", "row", "since", "until", "state", "all", "max", "force", "reason", "wait_s", "execute", "kafka_format",
        "store"}},
      {"drop", {"kind", "row", "since", "until", "state", "all", "max", "reason", "execute"}},
  };
  return actions;
}

Status CheckAction(const std::string& name) {
  std::vector<std::string> names;
  for (const Action& action : Actions()) names.push_back(action.name);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    return InvalidArgument("parked " + name + ": it is list, show, replay or drop" + DidYouMean(name, names));
  }
  for (const Action& action : Actions()) {
    for (const std::string& flag : action.flags) {
      const Action& asked =
          *std::find_if(Actions().begin(), Actions().end(), [&](const Action& each) { return each.name == name; });
      const bool takes = std::find(asked.flags.begin(), asked.flags.end(), flag) != asked.flags.end();
      if (!takes && FlagIsTyped(flag)) {
        return InvalidArgument("'fensi parked " + name + "' has no --" + flag + ", 'fensi parked " + action.name +
                               "' does");
      }
    }
  }
  return Status();
}

Status CheckPlaceOfLetters() {
  if (FlagIsTyped("dead_letters") && FlagIsTyped("source")) {
    return InvalidArgument("either --source, for the letters of a topic, or --dead_letters, for those of a file");
  }
  if (InAFile() || SourceIsKafka()) return Status();
  return InvalidArgument("where are the letters? --source kafka://HOST:PORT, or --dead_letters file:PATH");
}

std::unique_ptr<LetterReader> OpenLetterReader(const mapping::Index& index) {
  if (InAFile()) return std::make_unique<FileLetters>(FLAGS_dead_letters.substr(kFile.size()));
  return std::make_unique<TopicLetters>(SourceCluster(), index.dead_letter_topic(),
                                        std::chrono::seconds(FLAGS_connect_timeout_s));
}

/// Of one index, its ledger read.
struct Opened {
  std::shared_ptr<const mapping::Index> index;
  std::unique_ptr<LetterReader> reader;
  std::unique_ptr<ParkedLetters> parked;
};

Result<Opened> Open(const Arguments& arguments) {
  FENSI_RETURN_IF_ERROR(CheckPlaceOfLetters());
  Result<std::shared_ptr<const mapping::Index>> index = LoadIndex(arguments[1], arguments[2]);
  FENSI_RETURN_IF_ERROR(index.status());
  Opened opened{.index = std::move(*index)};
  opened.reader = OpenLetterReader(*opened.index);
  opened.parked = std::make_unique<ParkedLetters>(opened.reader.get(), opened.index->name());
  FENSI_RETURN_IF_ERROR(opened.parked->ReadLedger());
  return opened;
}

Result<int> List(const Arguments& arguments) {
  if (arguments.size() > 3) return InvalidArgument("'fensi parked list' takes no letters; 'fensi parked show' does");
  if (FLAGS_rows && !FLAGS_letters) return InvalidArgument("--rows belongs to --letters, which is not given");
  Result<LetterFilter> filter = LetterFilter::Flags({});
  FENSI_RETURN_IF_ERROR(filter.status());
  if (FLAGS_letters && FLAGS_state.empty()) filter->state = LetterState::kOpen;
  const Result<Opened> opened = Open(arguments);
  FENSI_RETURN_IF_ERROR(opened.status());
  Listing listing(opened->parked.get(), std::move(*filter),
                  {.letters = FLAGS_letters, .rows = FLAGS_rows, .json = FLAGS_json});
  FENSI_RETURN_IF_ERROR(listing.Run());
  return kExitDone;
}

Result<int> Show(const Arguments& arguments) {
  if (arguments.size() != 4) return InvalidArgument("which letter? 'fensi parked list --letters' names them");
  const Result<Place> place = ParsePlace(arguments[3]);
  FENSI_RETURN_IF_ERROR(place.status());
  const Result<Opened> opened = Open(arguments);
  FENSI_RETURN_IF_ERROR(opened.status());
  const Result<PlacedLetter> letter = FindLetter(*opened->parked, *place);
  if (letter.status().code() == StatusCode::kNotFound) {
    Say("parked: " + letter.status().message());
    return kExitDifference;
  }
  FENSI_RETURN_IF_ERROR(letter.status());
  FENSI_RETURN_IF_ERROR(ShowLetter(*opened->parked, *letter, opened->index, FormatOfFlag(), FLAGS_json));
  return kExitDone;
}

/// Letters of a file have no ledger.
Status RequireTopic(const std::string& action) {
  if (!InAFile()) return Status();
  const std::string path = FLAGS_dead_letters.substr(kFile.size());
  return InvalidArgument("'fensi parked " + action + "' works on letters in a topic; for those of a file " +
                         (action == "drop"
                              ? "move " + path + " away, or take the lines out of it, while nobody writes to it"
                              : "see \"Dead letters come back\" in docs/faults.md ('fensi help faults')"));
}

/// What was asked for, and of that only what is open: who names a letter means it whatever became of it.
Result<LetterFilter> ChosenLetters(const Arguments& arguments) {
  FENSI_RETURN_IF_ERROR(RequireTopic(arguments[0]));
  FENSI_RETURN_IF_ERROR(CheckPlaceOfLetters());
  Result<LetterFilter> filter = LetterFilter::Flags({arguments.begin() + 3, arguments.end()});
  FENSI_RETURN_IF_ERROR(filter.status());
  if (!filter->given()) {
    return InvalidArgument("which letters? PARTITION/OFFSET of each, or --kind, --row, --since, --until, or --all");
  }
  if (FLAGS_state.empty() && filter->places.empty()) filter->state = LetterState::kOpen;
  return filter;
}

/// Quoted for a shell where it must be.
std::string Quoted(const std::string& word) {
  const std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=/.,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// The line that was typed, with --execute.
void SayTheLine(const Arguments& arguments) {
  std::string line = "fensi parked";
  for (const std::string& word : arguments) line += " " + Quoted(word);
  for (const FlagUse& flag : FindCommand("parked")->flags) {
    if (!FlagIsTyped(flag.name)) continue;
    const FlagRule* const rule = FindFlagRule(flag.name);
    line += " --" + flag.name + (rule->is_switch ? "" : "=" + Quoted(FlagValue(flag.name)));
  }
  Say("parked: nothing was done; this does it:");
  Print(line + " --execute\n");
}

void PrintKinds(const std::map<std::string, int64_t>& kinds) {
  for (const auto& [kind, letters] : kinds) Print("  " + kind + ": " + WithCommas(letters) + "\n");
}

Result<std::unique_ptr<consumer::PlacedProducer>> OpenProducer() {
  return consumer::PlacedProducer::Create(
      {.cluster = SourceCluster(), .connect_timeout = std::chrono::seconds(FLAGS_connect_timeout_s)});
}

Result<int> DropLetters(const Arguments& arguments) {
  if (FLAGS_reason.empty()) return InvalidArgument("--reason is missing: who looks at the ledger wants to know why");
  const Result<LetterFilter> filter = ChosenLetters(arguments);
  FENSI_RETURN_IF_ERROR(filter.status());
  const Result<Opened> opened = Open(arguments);
  FENSI_RETURN_IF_ERROR(opened.status());
  LetterDrop dropping(opened->parked.get(), *filter, FLAGS_max);
  FENSI_RETURN_IF_ERROR(dropping.Run(nullptr));
  const std::string index = "index " + opened->index->name() + ": ";
  if (!FLAGS_execute) {
    Print(index + Counted(dropping.letters(), "letter") + " to be dropped\n");
    PrintKinds(dropping.kinds());
    FENSI_RETURN_IF_ERROR(FinishOutput());
    if (dropping.letters() > 0) SayTheLine(arguments);
    return kExitDone;
  }
  const Result<std::unique_ptr<consumer::PlacedProducer>> producer = OpenProducer();
  FENSI_RETURN_IF_ERROR(producer.status());
  LedgerWriter ledger(producer->get(), opened->index->dead_letter_topic(),
                      {.index = opened->index->name(),
                       .action = consumer::Resolution::Action::kDropped,
                       .letters = {},
                       .who = WhoIsAtWork(),
                       .why = FLAGS_reason});
  FENSI_RETURN_IF_ERROR(dropping.Run(&ledger));
  Print(index + Counted(dropping.letters(), "letter") + " dropped\n");
  PrintKinds(dropping.kinds());
  Say("parked: " + Counted(dropping.letters(), "letter") + " dropped");
  return kExitDone;
}

Status CheckStoreOfReplay() {
  if (FLAGS_store.empty()) {
    return InvalidArgument("--store is missing: there the index tells its name, and how far its owners are");
  }
  if (!StoreIsEmbedded(FLAGS_store)) return Status();
  return InvalidArgument(
      "of an index in an embedded store letters are not replayed: nobody else may look into it while 'fensi run' has "
      "it. Stop that run, and 'fensi repair MAPPING INDEX ROW…' makes the rows right");
}

Result<int> ReplayParked(const Arguments& arguments) {
  Result<LetterFilter> filter = ChosenLetters(arguments);
  FENSI_RETURN_IF_ERROR(filter.status());
  FENSI_RETURN_IF_ERROR(CheckStoreOfReplay());
  std::optional<StopLimit> limit;
  if (FLAGS_execute) BlockStopSignals();
  if (FLAGS_execute) limit.emplace("parked replay");
  const Result<Opened> opened = Open(arguments);
  FENSI_RETURN_IF_ERROR(opened.status());
  return ReplayLetters(*opened->index, *opened->parked,
                       {.filter = std::move(*filter), .format = FormatOfFlag(), .say_the_line = [&arguments] {
                          SayTheLine(arguments);
                        }});
}

Result<int> Parked(const Arguments& arguments) {
  FENSI_RETURN_IF_ERROR(CheckAction(arguments[0]));
  if (arguments[0] == "list") return List(arguments);
  if (arguments[0] == "show") return Show(arguments);
  if (arguments[0] == "replay") return ReplayParked(arguments);
  return DropLetters(arguments);
}

}  // namespace

Command ParkedCommand() {
  Command command;
  command.name = "parked";
  command.summary = "look at the dead letters of an index, replay or end them";
  command.arguments = "list|show|replay|drop MAPPING INDEX [PARTITION/OFFSET…]";
  command.min_arguments = 3;
  command.max_arguments = kAnyNumber;
  command.description =
      "list counts the letters by kind (the words of fensi_dead_letters_total) and by what was done about them; with "
      "--letters each is a line, and with --rows the line also has row key and reason, which may quote values. show "
      "prints one letter: who ended it, reason, coordinates, the original bytes, the event, and what the mapping of "
      "today makes of it; exit code 1 when there is no such letter. replay, once the cause is mended, sends what never "
      "was an event (undecodable) to its topic as it was, and has the owners of all other rows look at them again, as "
      "'fensi repair' does; it waits until they have (--wait_s), and says what was parked again. drop says that "
      "nothing more is to be done. Both take letters by name, by --kind, --row, --since, --until, or --all that are "
      "open, and "
      "undecodable ones only by name or --kind; without --execute they show the plan and the line that does it. Who "
      "did what, when and why stands between the letters, which stay where they are. A replay that was killed is done "
      "again by the same line, which does no harm; a letter that came back three times needs --force. Exit codes of a "
      "replay: 1 letters are left, or parked again; 75 not done in time; 78 nobody runs the index, or could be asked. "
      "The letters are those of the index's topic; of a file that --dead_letters names, list and show call them "
      "0/LINE. Messages of that topic that are no letters are named on standard error and passed. No consumer group is "
      "used.";
  command.flags = {{"source"},
                   {"dead_letters"},
                   {"letters"},
                   {"rows"},
                   {"kind"},
                   {"row"},
                   {"since"},
                   {"until"},
                   {"state"},
                   {"json"},
                   {"all"},
                   {"max"},
                   {"force"},
                   {"store"},
                   {"wait_s"},
                   {"reason"},
                   {"execute"},
                   {"kafka_format"},
                   {"kafka_property"},
                   {"kafka_property_file"},
                   {"connect_timeout_s"}};
  command.examples = {
      {"fensi parked list guanzhu.yaml fensi --source kafka://127.0.0.1:9092", "how many there are, and since when"},
      {"fensi parked list guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --letters --kind unmappable --rows",
       "those of one kind, with their rows"},
      {"fensi parked show guanzhu.yaml fensi 0/12 --source kafka://127.0.0.1:9092", "everything about one of them"},
      {"fensi parked replay guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:9090 --kind "
       "rejected --execute",
       "when HBase would take them now"},
      {"fensi parked drop guanzhu.yaml fensi 0/12 --source kafka://127.0.0.1:9092 --reason 'a test of ours' --execute",
       "ends one of them"}};
  command.run = Parked;
  return command;
}

}  // namespace fensi::cli
