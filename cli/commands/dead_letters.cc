#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "cli/settings/command_line.h"
#include "consumer/kafka/producer/partitioned_producer.h"
#include "operations/dead_letters/showing.h"
#include "operations/jobs/signals.h"
#include "operations/jobs/stop_limit.h"
#include "operations/mappings/mapping_files.h"

namespace fensi::cli {
namespace {

struct IndexLetters {
  std::shared_ptr<const mapping::Index> index;
  operations::OpenedLetters opened;

  const operations::DeadLetterLog& log() const { return *opened.log; }
};

Result<IndexLetters> Open(const Arguments& arguments) {
  FENSI_ASSIGN_OR_RETURN(const operations::LettersPlace place, ReadLettersPlace());
  IndexLetters letters;
  FENSI_ASSIGN_OR_RETURN(letters.index, operations::LoadIndex(arguments[1], arguments[2], FLAGS_meta_table));
  FENSI_ASSIGN_OR_RETURN(letters.opened, operations::OpenLetters(*letters.index, place));
  return letters;
}

Result<int> List(const Arguments& arguments) {
  if (arguments.size() > 3) {
    return InvalidArgument("'fensi dead-letters list' takes no PARTITION/OFFSET: leave out " + arguments[3] +
                           ", or use 'fensi dead-letters show'");
  }
  FENSI_ASSIGN_OR_RETURN(operations::LetterFilter filter, ReadListFilter());
  FENSI_ASSIGN_OR_RETURN(const IndexLetters letters, Open(arguments));
  operations::Listing listing(&letters.log(), std::move(filter),
                              {.letters = FLAGS_letters, .rows = FLAGS_rows, .json = FLAGS_json});
  FENSI_RETURN_IF_ERROR(listing.Run());
  return kExitDone;
}

Result<int> Show(const Arguments& arguments) {
  if (arguments.size() != 4) {
    return InvalidArgument(
        "name one dead letter as PARTITION/OFFSET, such as 0/12. 'fensi dead-letters list' with --letters prints "
        "PARTITION/OFFSET of each dead letter");
  }
  FENSI_ASSIGN_OR_RETURN(const operations::Place place, operations::ParsePlace(arguments[3]));
  FENSI_ASSIGN_OR_RETURN(const IndexLetters letters, Open(arguments));
  const Result<operations::PlacedLetter> letter = operations::FindLetter(letters.log(), place);
  if (letter.status().code() == StatusCode::kNotFound) {
    Say("dead-letters: " + letter.status().message());
    return kExitDifference;
  }
  FENSI_RETURN_IF_ERROR(letter.status());
  FENSI_RETURN_IF_ERROR(operations::ShowLetter(letters.log(), *letter, letters.index, FormatOfFlag(), FLAGS_json));
  return kExitDone;
}

void SayTheLine(const Arguments& arguments) {
  operations::SayDryRun("dead-letters", "apply this plan", "The command in full:");
  Print(TypedLine(*FindCommand("dead-letters"), arguments) + " --execute\n");
}

Arguments PositionsOf(const Arguments& arguments) { return {arguments.begin() + 3, arguments.end()}; }

Result<int> Discard(const Arguments& arguments) {
  if (FLAGS_reason.empty())
    return InvalidArgument(
        "--reason is missing: write why you discard the dead letters. Other operators see the reason");
  operations::DiscardWish wish{.filter = {}, .most = FLAGS_max, .reason = FLAGS_reason, .say_the_line = {}};
  FENSI_ASSIGN_OR_RETURN(wish.filter, ReadActionFilter(arguments[0], PositionsOf(arguments)));
  wish.say_the_line = [&arguments] { SayTheLine(arguments); };
  FENSI_ASSIGN_OR_RETURN(const IndexLetters letters, Open(arguments));
  if (!FLAGS_execute) {
    FENSI_RETURN_IF_ERROR(operations::PlanDiscard(letters.log(), wish));
    return kExitDone;
  }
  const operations::KafkaOptions kafka = ReadSourceKafkaOptions();
  FENSI_ASSIGN_OR_RETURN(
      const std::unique_ptr<consumer::PartitionedProducer> producer,
      consumer::PartitionedProducer::Create({.cluster = kafka.cluster, .connect_timeout = kafka.connect_timeout}));
  FENSI_RETURN_IF_ERROR(operations::DiscardDeadLetters(*letters.index, letters.log(), wish, producer.get()));
  return kExitDone;
}

Result<int> Retry(const Arguments& arguments) {
  FENSI_ASSIGN_OR_RETURN(operations::LetterFilter filter, ReadActionFilter(arguments[0], PositionsOf(arguments)));
  FENSI_ASSIGN_OR_RETURN(operations::ReplayWish wish, ReadRetryWish(std::move(filter)));
  wish.say_the_line = [&arguments] { SayTheLine(arguments); };
  std::optional<operations::StopLimit> limit;
  if (FLAGS_execute) operations::BlockStopSignals();
  if (FLAGS_execute) {
    limit.emplace("dead-letters retry", arguments[2], "To continue, run the same command again");
  }
  FENSI_ASSIGN_OR_RETURN(const IndexLetters letters, Open(arguments));
  return operations::RetryDeadLetters(*letters.index, letters.log(), std::move(wish));
}

Result<int> DeadLetters(const Arguments& arguments) {
  FENSI_RETURN_IF_ERROR(CheckLetterAction(arguments[0]));
  if (arguments[0] == "list") return List(arguments);
  if (arguments[0] == "show") return Show(arguments);
  return arguments[0] == "retry" ? Retry(arguments) : Discard(arguments);
}

std::vector<Example> DeadLettersExamples() {
  return {
      {"fensi dead-letters list guanzhu.yaml fensi --source kafka://127.0.0.1:9092",
       "counts the dead letters, and shows the times of the oldest and the newest dead letter"},
      {"fensi dead-letters list guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --letters --kind unmappable --rows",
       "lists the dead letters of the kind unmappable, with their row keys and reasons"},
      {"fensi dead-letters show guanzhu.yaml fensi 0/12 --source kafka://127.0.0.1:9092",
       "shows the dead letter with offset 12 in partition 0"},
      {"fensi dead-letters retry guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --store "
       "hbase://127.0.0.1:2181/hbase "
       "--kind rejected --execute",
       "retries the events that HBase rejected. Remove the cause before you retry"},
      {"fensi dead-letters discard guanzhu.yaml fensi 0/12 --source kafka://127.0.0.1:9092 --reason 'a test of ours' "
       "--execute",
       "discards the dead letter with offset 12 in partition 0"}};
}

}  // namespace

Command DeadLettersCommand() {
  Command command;
  command.name = "dead-letters";
  command.summary = "list, show, retry or discard the dead letters of an index";
  command.arguments = "list|show|retry|discard MAPPING INDEX [PARTITION/OFFSET…]";
  command.min_arguments = 3;
  command.max_arguments = kAnyNumber;
  command.description =
      "Lists, shows, retries or discards the dead letters of an index. With --source, the command reads the "
      "dead-letter topic of the index, without a consumer group. With --dead_letters=file:PATH, the command reads a "
      "file in place of the topic. For a dead letter in a file, PARTITION is 0, and OFFSET is the number of its line "
      "in the file. If the topic has messages that are not dead letters, the command skips these messages, and names "
      "them on standard error.\n\n"
      "'list' counts the dead letters by kind and by state (open, retried, discarded). With --letters, 'list' prints "
      "a line for each dead letter. With --letters and --rows, the line also has the row key and the reason of the "
      "dead letter. A reason may quote values of the row. 'show' prints the reason, the remedy, the original bytes "
      "and the event of one dead letter. 'show' also prints the topic, partition and offset of the event. 'show' "
      "also prints the entries that the present mapping file derives from the event. If the dead letter does not "
      "exist, the exit code of 'show' is 1.\n\n"
      "Use 'retry' after you have fixed the cause of dead letters. If fensi could not decode the bytes of an event, "
      "'retry' sends the bytes to their topic again. For all other dead letters, 'retry' asks the daemons to read "
      "the source row again, as 'fensi repair' does. 'retry' waits up to --wait_s for the daemons, and shows the "
      "dead letters that failed again. 'discard' records that a dead letter needs no action.\n\n"
      "For 'retry' and 'discard', name the dead letters as PARTITION/OFFSET. You can also choose the dead letters "
      "with --kind, --row, --since and --until. --all chooses all open dead letters. Without PARTITION/OFFSET or "
      "--kind, 'retry' does not send bytes that fensi could not decode. Without --execute, 'retry' and 'discard' "
      "print the plan, and the command that carries out the plan. If 'retry' was killed, you can run the same "
      "command again. If a dead letter failed again after three retries, 'retry' needs --force. 'retry' and "
      "'discard' record the user, action, time and reason in the dead-letter topic.\n\n"
      "Exit code 1 of 'retry': fensi did not retry all chosen dead letters, or dead letters failed again. Exit code "
      "75 of 'retry': the daemons did not finish within --wait_s. Exit code 78 of 'retry': no daemon runs the index, "
      "or fensi could not send a request.";
  command.flags = FlagUses(
      "source dead_letters letters rows kind row since until state json all max force store wait_s reason "
      "execute kafka_format kafka_property kafka_property_file connect_timeout_s");
  SetMeaning(&command, "row", "use only dead letters of this source row (\\xNN for bytes)");
  SetMeaning(&command, "dead_letters",
             "file with the dead letters: file:PATH. Give --dead_letters in place of --source");
  SetMeaning(&command, "until",
             "use only dead letters that were written before this time. Give a time such as "
             "2016-12-20T12:00:00 (UTC), or milliseconds since 1970");
  SetMeaning(&command, "source", "address of the topics: kafka://HOST:PORT[,HOST:PORT]");
  SetMeaning(&command, "reason",
             "your reason for the change. Other operators see the reason. 'discard' requires a reason");
  command.examples = DeadLettersExamples();
  command.run = DeadLetters;
  return command;
}

}  // namespace fensi::cli
