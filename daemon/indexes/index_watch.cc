#include "daemon/indexes/index_watch.h"

#include "base/shown_text.h"
#include "base/text.h"

namespace fensi::daemon {
namespace {

using consumer::GroupPhase;
using consumer::GroupState;

std::string AgeOfPhase(const GroupState& group) { return DurationText(group.age.count() / 1000); }

}  // namespace

std::vector<LogEntry> IndexWatch::Note(const GroupState& group, const indexer::Counters& counts) {
  std::vector<LogEntry> due;
  NotePartitions(group, &due);
  NoteDeadLetters(counts, &due);
  NoteUntouched(counts, &due);
  return due;
}

/// A silence is told when its partitions are lost; that the group gave them to others meanwhile is told by the next
/// assignment.
void IndexWatch::NotePartitions(const GroupState& group, std::vector<LogEntry>* due) {
  const std::string had = PartitionsText(last_.partitions);
  const std::string begin = "index " + names_.index + ": ";
  const std::string of_topic = " of topic " + names_.topic;
  const bool silent = group.fenced > last_.fenced;
  const bool lost = group.losses > last_.losses && !silent && last_.phase != GroupPhase::kSilent;
  if ((silent || lost) && !last_.partitions.empty()) {
    due->push_back({"partitions_lost",
                    begin + "lost partitions " + had + of_topic + ": " +
                        (silent ? "Kafka's group coordinator, or this process, was silent for too long"
                                : "group " + names_.group + " has given them to others") +
                        ". The next owner repeats the work in flight, and this daemon joins the group again by itself. "
                        "If partitions_assigned does not follow within 5 minutes, see 'fensi help "
                        "FensiPartitionsWithoutOwner'",
                    Fields()});
  }
  if (group.revocations > last_.revocations && !last_.partitions.empty()) {
    due->push_back({"partitions_revoked",
                    begin + "group " + names_.group + " takes back partitions " + had + of_topic +
                        " to give the partitions out again",
                    Fields()});
  }
  const bool let_in = group.assignments > last_.assignments;
  const bool kept = last_.phase == GroupPhase::kSilent && group.phase == GroupPhase::kMember;
  if (let_in || kept) {
    due->push_back(
        {"partitions_assigned",
         begin + "group " + names_.group + (let_in ? " has given" : " has kept for") + " this daemon " +
             (group.partitions.empty() ? "no partition" + of_topic + ": other members have all"
                                       : Counted(static_cast<int64_t>(group.partitions.size()), "partition") +
                                             of_topic + ": " + PartitionsText(group.partitions)),
         Fields()});
  }
  last_ = group;
}

void IndexWatch::NoteDeadLetters(const indexer::Counters& counts, std::vector<LogEntry>* due) {
  for (size_t kind = 0; kind < letters_.size(); ++kind) {
    const int64_t now = counts.letters_of[kind];
    if (now > letters_[kind]) {
      due->push_back({"dead_letters",
                      "index " + names_.index + ": " + Counted(now - letters_[kind], "new dead letter") + ", reason " +
                          indexer::kLetterKindNames[kind] +
                          ". To list the dead letters, enter: " + names_.list_dead_letters,
                      LogFields{.index = names_.index, .code = indexer::kLetterKindNames[kind]}});
    }
    letters_[kind] = now;
  }
}

void IndexWatch::NoteUntouched(const indexer::Counters& counts, std::vector<LogEntry>* due) {
  const int64_t events = counts.events - counts.skipped;
  if (untouched_told_ || events < kManyUntouched || !TouchedNothing(counts)) return;
  untouched_told_ = true;
  due->push_back(
      {"no_event_matches",
       "index " + names_.index + ": fensi has read " + Counted(events, "event") + " of table " + names_.source +
           ", and none has a cell that the index reads (" + names_.watches +
           "). Check the families and columns of the mapping file. 'fensi check MAPPING --online --store URL' "
           "compares the mapping file with rows of the table",
       LogFields{.index = names_.index, .table = names_.source}});
}

std::string PartitionsText(const std::vector<int32_t>& partitions) {
  std::string text;
  for (size_t first = 0; first < partitions.size();) {
    size_t last = first;
    while (last + 1 < partitions.size() && partitions[last + 1] == partitions[last] + 1) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(partitions[first]);
    if (last > first) text += (last == first + 1 ? ", " : " to ") + std::to_string(partitions[last]);
    first = last + 1;
  }
  return text;
}

bool TouchedNothing(const indexer::Counters& counts) {
  const int64_t units = counts.units_cached + counts.units_skipped + counts.units_read;
  const int64_t done = counts.puts + counts.deletes + counts.dead_letters + counts.requests + counts.source_reads;
  return units == 0 && done == 0;
}

std::string WhyWithoutPartitions(const GroupState& group) {
  switch (group.phase) {
    case GroupPhase::kJoining:
      return group.assignments == 0 ? "the consumer group has not admitted this daemon yet" : "";
    case GroupPhase::kMember:
      return "";
    case GroupPhase::kRevoked:
      return "the consumer group has been assigning the partitions again for " + AgeOfPhase(group);
    case GroupPhase::kSilent:
    case GroupPhase::kLost:
      return "this daemon lost its partitions " + AgeOfPhase(group) +
             " ago, because Kafka's group coordinator or this process was silent for too long. The consumer group has "
             "not admitted this daemon again yet";
  }
  return "";
}

}  // namespace fensi::daemon
