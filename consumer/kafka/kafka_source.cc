#include "consumer/kafka/kafka_source.h"

#include <algorithm>
#include <deque>

#include "consumer/codec/event_codec.h"
#include "consumer/codec/request.h"
#include "consumer/kafka/client/partitioner.h"
#include "consumer/kafka/group/lease.h"
#include "consumer/kafka/group/partition_queues.h"
#include "consumer/kafka/group/poll_loop.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kCloseTimeout{5000};
constexpr milliseconds kConfirmTimeout{2000};

milliseconds FenceLimit(const KafkaSourceOptions& options) { return options.session_timeout - options.fence_margin; }

PartitionQueuesOptions QueuesOptions(const KafkaSourceOptions& options) {
  return {.max_batch_records = options.max_batch_records,
          .max_batch_bytes = options.max_batch_bytes,
          .max_queued_bytes = options.max_queued_bytes / 2,
          .one_in_hand = NeedsOneWorker(options.format),
          .until_end = options.until_end,
          .clock = options.clock};
}

PollLoopOptions LoopOptions(const KafkaSourceOptions& options) {
  return {.brokers = options.cluster.brokers,
          .membership = {.topics = {options.topic, options.requests_topic},
                         .group = options.group,
                         .all_partitions = NeedsOneWorker(options.format),
                         .commit_interval = options.commit_interval,
                         .drain_timeout = FenceLimit(options) / 2}};
}

Result<ConfHandle> Config(const KafkaSourceOptions& options) {
  const size_t prefetch = options.max_queued_bytes / 2;
  const int64_t heartbeat = std::min<int64_t>(3000, options.session_timeout.count() / 5);
  const int64_t statistics = std::min<int64_t>(1000, options.session_timeout.count() / 10);
  const Defaults defaults = {
      {"fetch.max.bytes", std::to_string(std::clamp<size_t>(prefetch / 2, 1 << 20, 50 << 20))},
      // A limit of compressed bytes: the client unpacks whole answers, and counts them against its queue afterwards.
      {"fetch.message.max.bytes", std::to_string(std::clamp<size_t>(prefetch / 256, 64 << 10, 1 << 20))},
      {"message.max.bytes", std::to_string(1 << 20)},
      {"heartbeat.interval.ms", std::to_string(std::max<int64_t>(1, heartbeat))},
      {"max.poll.interval.ms", std::to_string(std::max<int64_t>(300'000, options.session_timeout.count()))},
  };
  Fixed fixed = {
      {"group.id", options.group},
      {"session.timeout.ms", std::to_string(options.session_timeout.count())},
      {"partition.assignment.strategy", "range"},
      {"enable.auto.commit", "false"},
      {"enable.auto.offset.store", "false"},
      {"auto.offset.reset", "error"},
      {"enable.partition.eof", "true"},
      {"isolation.level", "read_committed"},
      {"check.crcs", "true"},
      {"statistics.interval.ms", std::to_string(std::max<int64_t>(1, statistics))},
      {"allow.auto.create.topics", "false"},
      {"queued.max.messages.kbytes", std::to_string(std::max<size_t>(1, prefetch / 1024))},
  };
  if (!options.instance.empty()) fixed["group.instance.id"] = options.instance;
  return MakeConfig(options.cluster, defaults, fixed);
}

Status CheckOptions(const KafkaSourceOptions& options) {
  const auto bad = [](const char* text) { return Status(StatusCode::kInvalidArgument, text); };
  if (options.cluster.brokers.empty())
    return bad("the address of a Kafka broker is missing: set --source=kafka://HOST:PORT");
  if (options.topic.empty()) return bad("the name of the change topic is empty: set 'topic' in the mapping file");
  if (options.group.empty()) return bad("the name of the consumer group is empty: set 'group' in the mapping file");
  if (!options.requests_topic.empty() && NeedsOneWorker(options.format)) {
    return bad("--kafka_format=hbase_kafka_proxy does not support backfill and repair requests");
  }
  if (!options.instance.empty() && NeedsOneWorker(options.format)) {
    return bad(
        "--kafka_format=hbase_kafka_proxy does not support --instance, because its topic has one reader: leave out "
        "--instance");
  }
  if (options.requests_topic == options.topic)
    return InvalidArgument("topic " + options.topic +
                           " cannot be both the change stream and the topic of requests: name another 'topic'");
  if (options.max_batch_records == 0 || options.max_batch_bytes == 0)
    return bad("max_batch_records or max_batch_bytes is 0, and it must be at least 1");
  if (options.max_queued_bytes < (1 << 20)) return bad("max_queued_bytes is below 1 MiB");
  if (FenceLimit(options) <= milliseconds(0))
    return bad("--kafka_session_timeout_ms must be longer than the fence margin of fensi: raise the flag");
  return {};
}

}  // namespace

Result<std::unique_ptr<KafkaSource>> KafkaSource::Create(const KafkaSourceOptions& options) {
  FENSI_RETURN_IF_ERROR(CheckOptions(options));
  std::unique_ptr<KafkaSource> source(new KafkaSource(options));
  FENSI_RETURN_IF_ERROR(source->Start());
  return source;
}

KafkaSource::KafkaSource(const KafkaSourceOptions& options)
    : options_(options),
      lease_(std::make_shared<Lease>(options.clock, FenceLimit(options))),
      queues_(std::make_unique<PartitionQueues>(QueuesOptions(options))),
      loop_(std::make_unique<PollLoop>(LoopOptions(options), options.clock, lease_, queues_.get())) {}

KafkaSource::~KafkaSource() = default;

Status KafkaSource::Start() {
  Result<ConfHandle> config = Config(options_);
  return config.ok() ? loop_->Start(std::move(*config)) : config.status();
}

Status KafkaSource::WaitReachable(milliseconds timeout) { return loop_->WaitReachable(timeout); }

Work KafkaSource::Next() {
  for (;;) {
    PartitionQueues::Taken taken = queues_->Take();
    if (auto* opening = std::get_if<Opening>(&taken)) return std::move(*opening);
    if (auto* end = std::get_if<End>(&taken)) return std::move(*end);
    if (auto* committed = std::get_if<Committed>(&taken)) return std::move(*committed);
    const auto& raw = std::get<PartitionQueues::RawBatch>(taken);
    if (raw.log == Log::kRequests) return DecodeRequests(raw);
    const auto start = std::chrono::steady_clock::now();
    Batch batch = Decode(raw);
    batch.decoding = std::chrono::steady_clock::now() - start;
    if (!batch.records.empty() || !batch.marks.empty()) return batch;
    Done(batch);  // parts of a mutation that wait for the others
  }
}

namespace {

/// Memory for the views of a batch's records: its messages, and the values of mutations in parts.
struct BatchMemory {
  std::shared_ptr<MessageChunk> messages;
  std::deque<std::string> joined;
};

/// Emits a dead letter for the row and an event that makes the row ambiguous, so that indexes with a readable source
/// read it.
void TellGivenUp(std::vector<MessageReassembler::AbandonedMessage> given_up, BatchMemory* memory, Batch* batch) {
  for (MessageReassembler::AbandonedMessage& each : given_up) {
    const std::string& row = memory->joined.emplace_back(each.event.row);
    const std::string& value = memory->joined.emplace_back(EncodeEvent(each.event));
    Record letter{.offset = each.first_offset, .decoded = InvalidArgument(each.reason), .key = row, .value = value};
    Record doubt{.offset = each.first_offset, .event = std::move(each.event), .key = row, .value = value};
    batch->records.push_back(std::move(letter));
    batch->records.push_back(std::move(doubt));
  }
}

/// A sender with another partitioner, or after the topic grew, reaches an owner that does not own the row.
Status InOwnPartition(std::string_view row, const Assignment& assignment) {
  const int32_t partition = PartitionOf(row, assignment.partition_count());
  // M12: a request must be in the partition of its row.
  if (partition == assignment.partition()) return {};
  return InvalidArgument("the request is in partition " + std::to_string(assignment.partition()) +
                         ", and its row belongs to partition " + std::to_string(partition) +
                         " (murmur2 of the row key). The sender used another partitioner, or the topic got more "
                         "partitions");
}

/// A record or a request of the message: its position, and its bytes.
template <typename Made>
void TakePlace(const FetchedMessage& message, Made* record) {
  record->offset = message.offset;
  record->message_time = message.message_time;
  record->key = message.key;
  record->value = message.value;
  record->replays = message.replays;
}

}  // namespace

namespace {

/// Takes a watermark out of the records. An invalid watermark becomes a dead letter.
bool TakeMark(Record* record, std::vector<Mark>* marks) {
  if (!record->event.table.empty()) return false;
  Result<Mark> mark = DecodeMark(record->key, record->value);
  record->decoded = mark.status();
  if (mark.ok()) marks->push_back(std::move(*mark));
  return mark.ok();
}

}  // namespace

Batch KafkaSource::Decode(const PartitionQueues::RawBatch& raw) const {
  const auto memory = std::make_shared<BatchMemory>();
  memory->messages = raw.messages;
  Batch batch{.assignment = raw.assignment, .next_offset = raw.messages->next_offset(), .memory = memory};
  batch.records.reserve(raw.messages->size());
  EventDecoder decoder(options_.format);
  for (size_t i = 0; i < raw.messages->size(); ++i) {
    const FetchedMessage message = raw.messages->at(i);
    Record& record = batch.records.emplace_back();
    TakePlace(message, &record);
    record.old = message.offset < raw.old_below;
    record.decoded = decoder.Decode(message.key, message.value, &record.event);
    if (!record.decoded.ok()) continue;
    const Result<bool> whole = raw.joiner->Take(message.offset, message.message_time, decoder.part(), &record.event);
    if (!whole.ok()) record.event = ChangeEvent();
    record.decoded = whole.status();
    if (whole.ok() && (!*whole || TakeMark(&record, &batch.marks))) {
      batch.records.pop_back();
    } else if (whole.ok() && decoder.part().count > 1) {
      record.value = memory->joined.emplace_back(EncodeEvent(record.event));
    }
    TellGivenUp(raw.joiner->TakeAbandoned(), memory.get(), &batch);
  }
  return batch;
}

RequestBatch KafkaSource::DecodeRequests(const PartitionQueues::RawBatch& raw) {
  RequestBatch batch{raw.assignment, {}, raw.messages->next_offset(), raw.messages};
  batch.records.reserve(raw.messages->size());
  for (size_t i = 0; i < raw.messages->size(); ++i) {
    const FetchedMessage message = raw.messages->at(i);
    RequestRecord& record = batch.records.emplace_back();
    TakePlace(message, &record);
    record.decoded = InOwnPartition(message.key, *raw.assignment);
    if (!record.decoded.ok()) continue;
    Result<Request> request = DecodeRequest(message.key, message.value);
    record.decoded = request.status();
    if (request.ok()) record.request = std::move(*request);
  }
  return batch;
}

Status KafkaSource::BeginRequests(const std::shared_ptr<Assignment>& assignment, RequestPosition start) {
  return queues_->BeginRequests(assignment, start);
}

Status KafkaSource::Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset) {
  FENSI_RETURN_IF_ERROR(queues_->Begin(assignment, offset));
  loop_->Wake();
  return {};
}

void KafkaSource::Done(const Batch& batch) {
  if (queues_->Done(Log::kStream, batch.assignment, batch.next_offset, batch.records.size())) loop_->Wake();
}

void KafkaSource::Done(const RequestBatch& batch) {
  if (queues_->Done(Log::kRequests, batch.assignment, batch.next_offset, batch.records.size())) loop_->Wake();
}

Status KafkaSource::Confirm() { return loop_->Confirm(kConfirmTimeout); }

void KafkaSource::Abandon(const std::shared_ptr<Assignment>& assignment) { queues_->Abandon(assignment); }

void KafkaSource::SetPaused(bool paused) { queues_->SetPaused(paused); }

void KafkaSource::Stop() {
  lease_->Stop();
  queues_->Stop();
}

Status KafkaSource::Close() {
  Stop();
  return loop_->Close(kCloseTimeout);
}

ChangeSource::Progress KafkaSource::progress() const {
  Progress progress = queues_->progress();
  const std::string trouble = loop_->trouble();
  if (!trouble.empty()) progress.trouble = trouble + (progress.trouble.empty() ? "" : "; ") + progress.trouble;
  return progress;
}

StreamState KafkaSource::state() const {
  StreamState state = queues_->state();
  loop_->Describe(&state);
  state.poll_limit = options_.session_timeout;
  return state;
}

GroupState KafkaSource::group() const { return loop_->group(); }

size_t KafkaSource::held_bytes() const { return queues_->held_bytes(); }

}  // namespace fensi::consumer
