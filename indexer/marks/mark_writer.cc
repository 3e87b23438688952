#include "indexer/marks/mark_writer.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace fensi::indexer {

MarkWriter::MarkWriter(meta::IndexRecord record, meta::IndexFacts facts, std::chrono::milliseconds period,
                       std::function<void(const Words&)> tell, std::function<Status()> may_register)
    : record_(std::move(record)),
      facts_(std::move(facts)),
      period_(period),
      tell_(std::move(tell)),
      may_register_(std::move(may_register)),
      thread_([this] { Run(); }) {}

void MarkWriter::Note(int32_t partition, int32_t partitions, int64_t complete, const std::string& basis) {
  const MutexLock lock(mu_);
  int64_t& noted = noted_.by_partition[partition];
  noted = std::max(noted, complete);
  noted_.partitions = partitions;
  noted_.basis = basis;
}

void MarkWriter::Finish() {
  {
    const MutexLock lock(mu_);
    finishing_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void MarkWriter::Run() {
  for (bool finished = false; !finished;) {
    {
      MutexLock lock(mu_);
      finished = changed_.wait_for(lock, period_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return finishing_; });
    }
    Write();
  }
}

void MarkWriter::Write() {
  meta::Marks marks;
  {
    const MutexLock lock(mu_);
    marks = std::exchange(noted_, {});
  }
  Status written;
  try {
    written = WriteNoted(marks);
  } catch (const std::exception& error) {  // lack of memory
    written = Status(StatusCode::kInternal, error.what());
  }
  tell_(written.ok() ? Words() : "how far the index is cannot be said: " + written.words());
  if (written.ok()) return;
  for (const auto& [partition, time] : marks.by_partition) Note(partition, marks.partitions, time, marks.basis);
}

Status MarkWriter::WriteNoted(const meta::Marks& marks) {
  if (!registered_) FENSI_RETURN_IF_ERROR(may_register_());
  if (!registered_) FENSI_RETURN_IF_ERROR(record_.Register(facts_));
  registered_ = true;
  if (marks.by_partition.empty()) return {};
  const Status noted = record_.NoteMarks(facts_.incarnation, marks);
  registered_ = noted.code() != StatusCode::kNotFound;
  return noted;
}

}  // namespace fensi::indexer
