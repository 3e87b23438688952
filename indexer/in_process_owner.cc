#include "indexer/in_process_owner.h"

#include <string>
#include <utility>

#include "consumer/codec/request.h"
#include "indexer/index_meta.h"
#include "indexer/make_index_maintainer.h"

namespace fensi::indexer {
namespace {

/// Memory for the views of a batch.
struct Messages {
  std::vector<consumer::Request> requests;
  std::vector<std::string> encoded;
};

}  // namespace

InProcessOwner::InProcessOwner(const mapping::Index* index, store::Store* store, consumer::DeadLetterSink* dead_letters,
                               Clock* clock)
    : index_(index),
      store_(store),
      dead_letters_(dead_letters),
      clock_(clock),
      // Nobody can take it away: the store is locked.
      assignment_(std::make_shared<consumer::OnlyPartition>(index->topic())) {}

Status InProcessOwner::Open() {
  if (index_->changelog() != nullptr) {
    return Status(StatusCode::kConfiguration,
                  "index " + index_->name() +
                      " has a changelog, and only a daemon with --source=kafka:// writes it. With an embedded store, "
                      "fensi cannot repair or backfill this index. Use HBase, or remove 'changelog' from the mapping "
                      "file");
  }
  IndexMeta meta(index_, store_, clock_);
  FENSI_RETURN_IF_ERROR(meta.Open());
  incarnation_ = meta.incarnation();
  MaintainerOptions context{index_, store_, dead_letters_, &counters_, meta.reads_source()};
  context.clock = clock_;
  context.scheme = meta.scheme();
  context.layout = meta.layout();
  keeper_ = MakeIndexMaintainer(context, assignment_, false);
  return {};
}

void InProcessOwner::OpenAsStateless(std::shared_ptr<consumer::Assignment> assignment, std::string incarnation) {
  assignment_ = std::move(assignment);
  incarnation_ = std::move(incarnation);
  MaintainerOptions context{index_, store_, dead_letters_, &counters_, true};
  context.clock = clock_;
  context.scheme = mapping::Scheme::kStateless;
  keeper_ = MakeIndexMaintainer(context, assignment_, false);
}

Status InProcessOwner::Apply(std::vector<consumer::Request> requests) {
  const auto messages = std::make_shared<Messages>();
  messages->requests = std::move(requests);
  for (const consumer::Request& request : messages->requests) {
    messages->encoded.push_back(consumer::EncodeRequest(request));
  }
  consumer::RequestBatch batch{.assignment = assignment_, .records = {}, .next_offset = 0, .memory = messages};
  for (size_t i = 0; i < messages->requests.size(); ++i) {
    const consumer::Request& request = messages->requests[i];
    batch.records.push_back({.offset = next_offset_++,
                             .message_time = clock_->WallMillis(),
                             .decoded = consumer::CheckRequest(request),
                             .request = request,
                             .key = request.row,
                             .value = messages->encoded[i]});
  }
  batch.next_offset = next_offset_;
  const ToldRequests told = Told(*index_, incarnation_, std::make_shared<consumer::RequestBatch>(std::move(batch)));
  FENSI_RETURN_IF_ERROR(keeper_->Apply(told));
  const std::optional<std::chrono::milliseconds> again = keeper_->second_look();
  if (!again) return {};
  if (const auto now = clock_->MonotonicNow(); now < *again) clock_->Sleep(*again - now);
  return keeper_->RereadSource(told);
}

}  // namespace fensi::indexer
