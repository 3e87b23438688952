#include "cli/run/index_job.h"

#include <exception>

#include "cli/flags/flags.h"
#include "cli/stores.h"
#include "cli/table_plan.h"

namespace fensi::cli {
namespace {

// A store that was never reached within this time ends the index; one that was is waited for without end.
constexpr std::chrono::seconds kFirstContact{30};

}  // namespace

IndexJob::IndexJob(IndexJobParts parts) : parts_(std::move(parts)) {}

IndexJob::~IndexJob() {
  Stop();
  Join();
}

void IndexJob::Start() {
  thread_ = std::thread([this] {
    Status status;
    try {
      status = Work();
    } catch (const std::exception& error) {  // lack of memory: this index ends, the others go on
      status = Status(StatusCode::kInternal, std::string("internal error: ") + error.what());
    }
    const std::lock_guard lock(mu_);
    status_ = status;
    ended_ = true;
  });
}

void IndexJob::Stop() {
  stopped_ = true;
  parts_.stream.source->Stop();
  const std::lock_guard lock(mu_);
  if (runner_ != nullptr) runner_->Stop();
}

void IndexJob::Join() {
  if (thread_.joinable()) thread_.join();
}

Status IndexJob::status() const {
  const std::lock_guard lock(mu_);
  return status_;
}

indexer::IndexRunner::Counts IndexJob::counts() const {
  const std::lock_guard lock(mu_);
  return runner_ == nullptr ? indexer::IndexRunner::Counts() : runner_->counts();
}

Status IndexJob::Work() {
  FENSI_RETURN_IF_ERROR(PrepareTables());
  if (stopped_) return Status();
  FENSI_RETURN_IF_ERROR(parts_.stream.wait_reachable(kFirstContact));
  indexer::RunnerOptions options;
  options.workers = parts_.workers;
  FENSI_RETURN_IF_ERROR(SourceIsReadable(&options.source_readable));
  {
    const std::lock_guard lock(mu_);
    runner_ = std::make_unique<indexer::IndexRunner>(parts_.index, parts_.stream.source.get(), parts_.store.get(),
                                                     parts_.dead_letters.get(), SystemClock(), options);
    if (stopped_) runner_->Stop();
  }
  const Status status = runner_->Run();
  const bool asked = stopped_ && status.code() == StatusCode::kCancelled;
  return asked ? Status() : status;
}

Status IndexJob::PrepareTables() {
  const auto attempt = [this] { return stopped_ ? Status() : CheckTables(); };
  return UntilReached(attempt, kFirstContact, SystemClock());
}

Status IndexJob::CheckTables() {
  Result<std::vector<TablePlan>> plans = PlanTables(*parts_.index, parts_.store.get());
  if (!plans.ok()) return plans.status();
  if (StoreIsEmbedded(FLAGS_store)) {
    FENSI_RETURN_IF_ERROR(CreateTables(*plans, parts_.store.get()));
    for (TablePlan& plan : *plans) plan.exists = true;
  }
  const Status status = RequireTables(*plans);
  if (status.ok()) return status;
  return Status(status.code(), status.message() + "\n  create what is missing with: fensi create " +
                                   parts_.mapping_path + " --index " + name() + " --store " + FLAGS_store + " --execute");
}

Status IndexJob::SourceIsReadable(bool* readable) {
  const auto table = parts_.store->DescribeTable(parts_.index->source_table());
  *readable = table.ok() && table->has_value();
  return table.status();
}

}  // namespace fensi::cli
