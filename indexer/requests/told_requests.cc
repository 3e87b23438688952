#include "indexer/requests/told_requests.h"

namespace fensi::indexer {
namespace {

consumer::Record RecordOf(const mapping::Index& index, const consumer::RequestRecord& asked) {
  const consumer::Request& request = asked.request;
  consumer::Record record{asked.offset, asked.message_time, asked.decoded, {}, asked.key, asked.value, asked.replays};
  record.event = {.table = request.table, .row = request.row, .cells = request.cells};
  if (record.decoded.ok() && request.table != index.source_table()) {
    record.decoded =
        Status(StatusCode::kInvalidArgument,
               "the request is about table " + request.table + ", and the source of index " + index.name() + " is " +
                   index.source_table() + ". Give each index a topic of requests of its own");
  }
  return record;
}

}  // namespace

ToldRequests Told(const mapping::Index& index, const std::string& incarnation,
                  const std::shared_ptr<consumer::RequestBatch>& requests) {
  ToldRequests told{
      .batch = {.assignment = requests->assignment, .next_offset = requests->next_offset, .memory = requests}};
  for (const consumer::RequestRecord& asked : requests->records) {
    // M21: the request was meant for an earlier index of this name.
    if (asked.decoded.ok() && asked.request.incarnation != incarnation) {
      ++told.stale;
      continue;
    }
    told.batch.records.push_back(RecordOf(index, asked));
    told.requests.push_back(&asked.request);
  }
  return told;
}

}  // namespace fensi::indexer
