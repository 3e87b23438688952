#include "cli/run/index_run_maker.h"

#include <utility>

#include "cli/access/store_security.h"
#include "cli/access/stores.h"
#include "cli/flags/flags.h"
#include "cli/run/faults/fault_source.h"
#include "cli/run/faults/fault_store.h"
#include "cli/run/start_check.h"
#include "indexer/index_meta.h"
#include "store/open_store.h"

namespace fensi::cli {
namespace {

constexpr std::chrono::milliseconds kLookAgain{200};

Result<std::unique_ptr<store::Store>> OpenStoreToRun(std::shared_ptr<store::ConnectionCounts> counts) {
  store::OpenOptions options;
  options.counts = std::move(counts);
  options.connections = FLAGS_connections;
  options.first_answer = kFirstContact;
  Result<store::GatewaySecurity> security = StoreSecurity();
  if (!security.ok()) return security.status();
  options.security = std::move(*security);
  return store::OpenStore(FLAGS_store, options);
}

/// Ok also when nobody has begun it.
Status CheckBegun(const mapping::Index& index, store::Store* store) {
  const Status begun = indexer::IndexMeta(&index, store).Known().status();
  return begun.code() == StatusCode::kNotFound ? Status() : begun;
}

}  // namespace

Result<std::unique_ptr<IndexRun>> IndexRunMaker::Make(std::shared_ptr<const mapping::Index> index,
                                                      const std::string& path, const IndexMemory& memory) {
  Result<OpenedSource> stream = OpenSource(*index, memory.queued_bytes);
  if (!stream.ok()) return stream.status();
  FENSI_RETURN_IF_ERROR(DeadLetterSinks::CheckAsked());
  FENSI_RETURN_IF_ERROR(OpenStore());  // last: it makes the folder of an embedded store
  Result<std::shared_ptr<consumer::DeadLetterSink>> sink = sinks_.For(*index);
  if (!sink.ok()) return sink.status();
  IndexRunParts parts;
  parts.index = std::move(index);
  parts.mapping_path = path;
  parts.stream = std::move(*stream);
  parts.store = store_;
  parts.connections = connections_;
  if (faults_ != nullptr) InjectFaults(&parts);
  parts.dead_letters = std::move(*sink);
  parts.scrub_rows_per_second = FLAGS_scrub_rows_per_second;
  parts.scrub_repair = FLAGS_scrub_repair;
  parts.drop_expired = FLAGS_drop_expired;
  parts.options.workers = FLAGS_workers;
  if (SourceIsKafka()) parts.options.meta_table = FLAGS_meta_table;
  parts.options.clock_skew = std::chrono::milliseconds(FLAGS_clock_skew_ms);
  parts.options.cache_bytes = memory.cache_bytes;
  return std::make_unique<IndexRun>(std::move(parts));
}

Status IndexRunMaker::CheckTables(const mapping::Index& index, const std::string& path,
                                  const std::function<Status()>& permission) {
  FENSI_RETURN_IF_ERROR(OpenStore());
  const std::shared_ptr<store::Store> store = GuardedStore(store_, permission);
  Status last;
  while (true) {
    Status found = cli::CheckTables(index, path, store.get(), Missing::kLeave);
    if (found.ok()) found = CheckBegun(index, store.get());
    if (permission().ok() || last.ok()) last = found;
    if (last.code() != StatusCode::kUnavailable || !permission().ok()) return last;
    SystemClock()->Sleep(kLookAgain);
  }
}

void IndexRunMaker::InjectFaults(IndexRunParts* parts) const {
  parts->store = std::make_shared<FaultStore>(parts->store, faults_, parts->index->state_table());
  parts->stream.source = std::make_unique<FaultSource>(std::move(parts->stream.source), faults_);
}

Status IndexRunMaker::OpenStore() {
  if (store_ != nullptr && StoreIsEmbedded(FLAGS_store)) return Status();
  connections_ = std::make_shared<store::ConnectionCounts>();
  Result<std::unique_ptr<store::Store>> store = OpenStoreToRun(connections_);
  FENSI_RETURN_IF_ERROR(store.status());
  store_ = std::move(*store);
  if (StoreIsEmbedded(FLAGS_store)) place_ = std::make_unique<StorePlace>(FLAGS_store);
  return Status();
}

}  // namespace fensi::cli
