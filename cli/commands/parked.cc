#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/access/kafka.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/mappings/mapping_files.h"
#include "cli/parked/listing.h"
#include "cli/parked/showing.h"
#include "cli/program/output.h"
#include "cli/program/suggest.h"
#include "cli/run/sources.h"

namespace fensi::cli {
namespace {

constexpr std::string_view kFile = "file:";

bool InAFile() { return FLAGS_dead_letters.starts_with(kFile); }

/// Flags that only some of the actions take.
struct Action {
  std::string name;
  std::vector<std::string> flags;
};

const std::vector<Action>& Actions() {
  static const std::vector<Action> actions = {
      {"list", {"letters", "rows", "kind", "row", "since", "until", "state", "json"}},
      {"show", {"json", "kafka_format"}},
  };
  return actions;
}

Status CheckAction(const std::string& name) {
  std::vector<std::string> names;
  for (const Action& action : Actions()) names.push_back(action.name);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    return InvalidArgument("parked " + name + ": it is list or show" + DidYouMean(name, names));
  }
  for (const Action& action : Actions()) {
    for (const std::string& flag : action.flags) {
      const Action& asked =
          *std::find_if(Actions().begin(), Actions().end(), [&](const Action& each) { return each.name == name; });
      const bool takes = std::find(asked.flags.begin(), asked.flags.end(), flag) != asked.flags.end();
      if (!takes && FlagIsGiven(flag)) {
        return InvalidArgument("'fensi parked " + name + "' has no --" + flag + ", 'fensi parked " + action.name +
                               "' does");
      }
    }
  }
  return Status();
}

Status CheckPlaceOfLetters() {
  if (InAFile() && SourceIsKafka()) {
    return InvalidArgument("either --source, for the letters of a topic, or --dead_letters, for those of a file");
  }
  if (InAFile() || (SourceIsKafka() && FLAGS_dead_letters.empty())) return Status();
  return InvalidArgument("where are the letters? --source kafka://HOST:PORT, or --dead_letters file:PATH");
}

consumer::Format FormatOfFlag() {
  return FLAGS_kafka_format == "event" ? consumer::Format::kChangeEvent : consumer::Format::kHBaseKafkaProxy;
}

std::unique_ptr<LetterReader> OpenLetters(const mapping::Index& index) {
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
  opened.reader = OpenLetters(*opened.index);
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

Result<int> Parked(const Arguments& arguments) {
  FENSI_RETURN_IF_ERROR(CheckAction(arguments[0]));
  return arguments[0] == "list" ? List(arguments) : Show(arguments);
}

}  // namespace

Command ParkedCommand() {
  Command command;
  command.name = "parked";
  command.summary = "look at the dead letters of an index";
  command.arguments = "list|show MAPPING INDEX [PARTITION/OFFSET]";
  command.min_arguments = 3;
  command.max_arguments = 4;
  command.description =
      "list counts the letters by kind (the words of fensi_dead_letters_total) and by what was done about them; with "
      "--letters each is a line, and with --rows the line also has row key and reason, which may quote values. show "
      "prints one letter: reason, coordinates, the original bytes, the event, and what the mapping of today makes of "
      "it; exit code 1 when there is no such letter. The letters are those of the index's topic, or of a file that "
      "--dead_letters names, whose letters are called 0/LINE. Messages of that topic that are no letters are named on "
      "standard error and passed. Nothing is written, and no consumer group is used.";
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
                   {"kafka_format"},
                   {"kafka_property"},
                   {"kafka_property_file"},
                   {"connect_timeout_s"}};
  command.examples = {
      {"fensi parked list guanzhu.yaml fensi --source kafka://127.0.0.1:9092", "how many there are, and since when"},
      {"fensi parked list guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --letters --kind unmappable --rows",
       "those of one kind, with their rows"},
      {"fensi parked show guanzhu.yaml fensi 0/12 --source kafka://127.0.0.1:9092", "everything about one of them"}};
  command.run = Parked;
  return command;
}

}  // namespace fensi::cli
