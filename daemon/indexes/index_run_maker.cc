#include "daemon/indexes/index_run_maker.h"

#include <utility>

#include "daemon/faults/fault_source.h"
#include "daemon/faults/fault_store.h"
#include "indexer/index_meta.h"
#include "operations/access/stores.h"
#include "store/open_store.h"

namespace fensi::daemon {
namespace {

constexpr std::chrono::milliseconds kLookAgain{200};

Result<std::unique_ptr<store::Store>> OpenStoreToRun(const std::string& url,
                                                     const operations::StoreSecurityOptions& security, int connections,
                                                     std::shared_ptr<store::ConnectionCounts> counts) {
  store::OpenOptions options;
  options.counts = std::move(counts);
  options.connections = connections;
  options.first_answer = operations::kFirstContact;
  FENSI_ASSIGN_OR_RETURN(options.security, operations::StoreSecurity(security));
  return store::OpenStore(url, options);
}

/// Nothing is made in it.
Result<std::unique_ptr<store::Store>> OpenSourceToRun(const operations::StoreOptions& store, int connections,
                                                      std::shared_ptr<store::ConnectionCounts> counts) {
  const operations::SourceStoreOptions& source = store.source;
  if (operations::StoreIsEmbedded(source.url)) return operations::OpenSourceStore(store, operations::SourceUse::kWrite);
  return OpenStoreToRun(source.url, source.security, connections, std::move(counts));
}

/// Ok also if the index has not begun.
Status CheckBegun(const mapping::Index& index, store::Store* store) {
  const Status begun = indexer::IndexMeta(&index, store).Known().status();
  return begun.code() == StatusCode::kNotFound ? Status() : begun;
}

}  // namespace

Result<std::unique_ptr<IndexRun>> IndexRunMaker::Make(std::shared_ptr<const mapping::Index> index,
                                                      const std::string& path, const IndexMemory& memory) {
  FENSI_ASSIGN_OR_RETURN(OpenedSource stream, OpenSource(options_.start.source, *index, memory.queued_bytes));
  FENSI_RETURN_IF_ERROR(sinks_.CheckAsked());
  FENSI_RETURN_IF_ERROR(OpenStore());  // last: it makes the folder of an embedded store
  FENSI_ASSIGN_OR_RETURN(std::shared_ptr<consumer::DeadLetterSink> sink, sinks_.For(*index));
  IndexRunParts parts;
  parts.index = std::move(index);
  parts.mapping_path = path;
  parts.stream = std::move(stream);
  parts.store = StoreOf(*parts.index);
  parts.connections = connections_;
  if (faults_ != nullptr) InjectFaults(&parts);
  parts.dead_letters = std::move(sink);
  parts.changelog = OpenChangelog(options_.start.source, *parts.index);
  parts.run = options_;
  parts.options.workers = options_.workers;
  if (options_.start.source.is_kafka()) parts.options.meta_table = options_.start.store.meta_table;
  parts.options.clock_skew = options_.clock_skew;
  parts.options.cache_bytes = memory.cache_bytes;
  return std::make_unique<IndexRun>(std::move(parts));
}

Status IndexRunMaker::CheckTables(const mapping::Index& index, const std::string& path,
                                  const std::function<Status()>& permission) {
  FENSI_RETURN_IF_ERROR(OpenStore());
  const std::shared_ptr<store::Store> store = operations::GuardedStore(StoreOf(index), permission);
  Status last;
  while (true) {
    Status found = daemon::CheckTables(options_.start, index, path, store.get(), Missing::kLeave);
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
  if (store_ != nullptr && operations::StoreIsEmbedded(options_.start.store.url)) return Status();
  const operations::StoreOptions& named = options_.start.store;
  FENSI_RETURN_IF_ERROR(operations::CheckSourceStore(named));
  connections_ = std::make_shared<store::ConnectionCounts>();
  if (!named.source.url.empty()) {
    FENSI_ASSIGN_OR_RETURN(source_store_, OpenSourceToRun(named, options_.connections, connections_));
  }
  FENSI_ASSIGN_OR_RETURN(store_, OpenStoreToRun(named.url, named.security, options_.connections, connections_));
  if (operations::StoreIsEmbedded(options_.start.store.url))
    place_ = std::make_unique<operations::StorePlace>(options_.start.store.url);
  return Status();
}

std::shared_ptr<store::Store> IndexRunMaker::StoreOf(const mapping::Index& index) const {
  if (source_store_ == nullptr) return store_;
  return operations::JoinStores(operations::WithSource(options_.start.store, {index.source_table()}), store_,
                                source_store_);
}

}  // namespace fensi::daemon
