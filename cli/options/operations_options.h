// Converts flags to the options of operations: one function for each struct. Each reads flags, so it belongs to the
// thread that may (cli/flags).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "consumer/codec/event_decoder.h"
#include "operations/access/kafka.h"
#include "operations/access/stores.h"
#include "operations/alias/expired_tables.h"
#include "operations/backfill/wish.h"
#include "operations/dead_letters/dead_letter_log.h"
#include "operations/dead_letters/discarding.h"
#include "operations/dead_letters/letter_filter.h"
#include "operations/dead_letters/listing.h"
#include "operations/dead_letters/retry_run.h"
#include "operations/files/recorded_events.h"
#include "operations/status/daemons.h"
#include "operations/verify/followed_by_marks.h"
#include "operations/verify/verify_run.h"
#include "sweep/jobs/board.h"

namespace fensi::cli {

/// Reads --kafka_property and the file of --kafka_property_file for the functions below. Once, before any thread.
Status ReadKafkaFlags();
/// The cluster of --source kafka://…; without brokers for any other source.
consumer::KafkaCluster SourceCluster();
operations::KafkaOptions ReadSourceKafkaOptions();
/// The cluster of --kafka.
consumer::KafkaCluster NamedCluster();
operations::KafkaOptions ReadNamedKafkaOptions();
/// The format of --kafka_format.
consumer::Format FormatOfFlag();

operations::StoreOptions ReadStoreOptions();
operations::ExpiryOptions ReadExpiryOptions();
operations::MarkOptions ReadMarkOptions();
operations::CsvColumns ReadCsvColumns();
operations::LetterFilterOptions ReadLetterFilterOptions();
operations::BackfillOptions ReadBackfillOptions();
operations::DaemonsOptions ReadDaemonsOptions();
/// The request of --pause, --resume and --cancel.
std::optional<sweep::Wish> AskedToSteer();

/// kInvalidArgument: flags contradict each other.
Result<operations::VerifyRunOptions> ReadVerifyOptions();

/// kInvalidArgument: there is no such action, or a typed flag belongs to another one.
Status CheckLetterAction(const std::string& action);

/// kInvalidArgument: flags name no place, or two.
Result<operations::LettersPlace> ReadLettersPlace();

/// For list: any dead letters, and with --letters those that are open unless --state says otherwise.
Result<operations::LetterFilter> ReadListFilter();
/// For retry and discard: dead letters must be named, by position or by flags. Without --state those that are open, or
/// named by position. kInvalidArgument also for letters of a file, which have no ledger.
Result<operations::LetterFilter> ReadActionFilter(const std::string& action, const std::vector<std::string>& positions);

/// kInvalidArgument: the store is missing, or embedded.
Result<operations::ReplayWish> ReadRetryWish(operations::LetterFilter filter);

}  // namespace fensi::cli
