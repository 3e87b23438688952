#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "base/counted.h"
#include "cli/access/kafka.h"
#include "cli/access/stores.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/mappings/mapping_files.h"
#include "cli/program/output.h"
#include "consumer/kafka/topic_admin.h"
#include "indexer/migration.h"

namespace fensi::cli {
namespace {

using indexer::Migration;

/// What cannot be mapped, or put. Of most of it a letter was told when its event came.
class CountedLetters final : public consumer::DeadLetterSink {
 public:
  Status Send(const consumer::DeadLetter& letter) override {
    if (count_++ == 0) first_ = letter.reason;
    return {};
  }
  Status Flush() override { return {}; }
  int64_t count() const { return count_; }
  const std::string& first() const { return first_; }

 private:
  int64_t count_ = 0;
  std::string first_;
};

/// A group that nobody knows has no members, whoever runs the index.
Status RequireItsGroup(const mapping::Index& index, const consumer::TopicAdmin* admin) {
  const auto offsets = admin->groups().CommittedOffsets(index.group(), index.topic());
  FENSI_RETURN_IF_ERROR(offsets.status());
  const auto committed = [](const std::optional<int64_t>& offset) { return offset.has_value(); };
  if (std::any_of(offsets->begin(), offsets->end(), committed)) return Status();
  return Status(StatusCode::kConfiguration,
                "index " + index.name() + " has followed a topic, but group " + index.group() +
                    " has committed nothing for topic " + index.topic() +
                    " here: whether it is run cannot be told. Name the Kafka of its 'fensi run' (--kafka), and the "
                    "group and topic that it has (group:, topic: of the mapping)");
}

/// Of an embedded store its lock has told.
Status RequireStopped(const mapping::Index& index, const Migration::Found& found, const consumer::TopicAdmin* admin) {
  if (admin == nullptr || found.stage == indexer::MoveStage::kMoved) return Status();
  const Result<consumer::GroupDescription> group = admin->groups().DescribeGroup(index.group());
  FENSI_RETURN_IF_ERROR(group.status());
  if (group->active()) return Status(StatusCode::kConfiguration, MembersText(index.group(), *group));
  return found.committed ? RequireItsGroup(index, admin) : Status();
}

/// What is there; of a plan also what is to become of it.
std::string FoundText(const mapping::Index& index, const Migration::Found& found) {
  const auto planned = [](const std::string& text) { return FLAGS_execute ? std::string() : text; };
  if (found.stage == indexer::MoveStage::kMoved) {
    return "index " + index.name() + ": a mirror; states of before are left" + planned(": to be removed") + "\n";
  }
  const bool begun = found.stage == indexer::MoveStage::kBegun;
  return "index " + index.name() + ": " + (begun ? "its move has begun, and nobody may run it" : "kept with states") +
         "\n  " + Counted(found.units, "state") + ", up to version " + std::to_string(found.newest) +
         planned(": to be removed") + "\n  " + Counted(found.open, "state") + " in doubt" +
         planned(": to be asked from " + index.source_table()) + "\n" +
         (found.unnamed
              ? "  no incarnation: its first 'fensi run' ended before it had one" + planned("; to be given one") + "\n"
              : "");
}

Status Execute(Migration* migration, const mapping::Index& index, const Migration::Found& found,
               const CountedLetters& letters, const consumer::TopicAdmin* admin) {
  FENSI_RETURN_IF_ERROR(migration->Execute([&] { return RequireStopped(index, found, admin); }));
  if (letters.count() > 0) {
    Say("migrate: " + Counted(letters.count(), "cell") +
        " that was asked for has no entry; the first: " + letters.first());
  }
  const bool moved_before = found.stage == indexer::MoveStage::kMoved;
  Say("migrate: " + (moved_before ? std::string() : Counted(found.units, "state") + " removed; ") + "index " +
      index.name() + " is a mirror; start its 'fensi run' with this mapping");
  return Status();
}

Result<std::unique_ptr<store::Store>> OpenTablesToMove() {
  Result<std::unique_ptr<store::Store>> store = FLAGS_execute ? OpenStoreToWrite() : OpenStoreToReadAny();
  FENSI_RETURN_IF_ERROR(store.status());
  return WaitingStore(std::move(*store), std::chrono::minutes(10));
}

Result<int> Migrate(const Arguments& arguments) {
  const bool embedded = StoreIsEmbedded(FLAGS_store);
  if (FLAGS_kafka.empty() && !embedded) {
    return Status(StatusCode::kInvalidArgument, "--kafka is missing: whether somebody runs the index is known there");
  }
  const auto index = LoadIndex(arguments[0], arguments[1]);
  FENSI_RETURN_IF_ERROR(index.status());
  const Result<std::unique_ptr<store::Store>> store = OpenTablesToMove();
  FENSI_RETURN_IF_ERROR(store.status());
  std::unique_ptr<consumer::TopicAdmin> admin;
  if (!FLAGS_kafka.empty()) {
    Result<std::unique_ptr<consumer::TopicAdmin>> made =
        consumer::TopicAdmin::Create(NamedCluster(), std::chrono::seconds(FLAGS_connect_timeout_s));
    FENSI_RETURN_IF_ERROR(made.status());
    admin = std::move(*made);
  }
  CountedLetters letters;
  Migration migration(index->get(), store->get(), &letters, SystemClock());
  const Result<Migration::Found> found = migration.Look();
  FENSI_RETURN_IF_ERROR(found.status());
  if (found->nothing_to_do) {
    Say("migrate: nothing to do: index " + (*index)->name() + " is a mirror");
    return kExitDone;
  }
  Print(FoundText(**index, *found));
  std::cout.flush();  // before anything is done
  FENSI_RETURN_IF_ERROR(RequireStopped(**index, *found, admin.get()));
  if (FLAGS_execute) {
    FENSI_RETURN_IF_ERROR(Execute(&migration, **index, *found, letters, admin.get()));
    return kExitDone;
  }
  Say("migrate: nothing was done; the same line with --execute does it, and there is no way back");
  return kExitDone;
}

}  // namespace

Command MigrateCommand() {
  Command command;
  command.name = "migrate";
  command.summary = "make a mirror of an index that was begun with states";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "For an index whose mapping says 'scheme: mirror' now and that is kept with states. Its tables stay, and its "
      "entries; its states are removed. Without --execute it shows what it would do. Stop its 'fensi run' first: exit "
      "code 78 while its group has members, and when the index cannot be moved, as one that was begun without its "
      "source table, or has times more than an hour ahead of the clock. It may be interrupted: the same line goes on, "
      "and 'fensi run' refuses the index until it is a mirror; what is left of its states then harms nobody.";
  command.flags = {{"store", true},         {"kafka"},   {"kafka_property"},
                   {"kafka_property_file"}, {"execute"}, {"connect_timeout_s"}};
  command.examples = {
      {"fensi migrate guanzhu.yaml fensi --store hbase://127.0.0.1:9090 --kafka 127.0.0.1:9092", "what it would do"},
      {"fensi migrate guanzhu.yaml fensi --store hbase://127.0.0.1:9090 --kafka 127.0.0.1:9092 --execute", "does it"}};
  command.run = Migrate;
  return command;
}

}  // namespace fensi::cli
