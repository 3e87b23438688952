#include "indexer/marks/mark_writer.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace fensi::indexer {

MarkWriter::MarkWriter(meta::IndexRecord record, meta::IndexDescriptor facts, std::chrono::milliseconds period,
                       std::function<void(const RedactableText&)> tell, std::function<Status()> may_register,
                       std::function<Status(const std::string&)> confirm)
    : record_(std::move(record)),
      facts_(std::move(facts)),
      tell_(std::move(tell)),
      may_register_(std::move(may_register)),
      confirm_(std::move(confirm)),
      thread_(period, [this] { Write(); }) {}

void MarkWriter::Note(const std::shared_ptr<consumer::Assignment>& assignment, int64_t complete,
                      const std::string& basis, const std::string& bulk_loads) {
  const MutexLock lock(mu_);
  Noted& noted = noted_.by_partition[assignment->partition()];
  if (noted.by == assignment && noted.complete >= complete) return;
  noted = {complete, assignment};
  noted_.basis = basis;
  if (!bulk_loads.empty()) noted_.bulk_loads = bulk_loads;
}

std::optional<int64_t> MarkWriter::complete() const {
  const MutexLock lock(mu_);
  return complete_;
}

void MarkWriter::NoteComplete(std::optional<int64_t> complete) {
  const MutexLock lock(mu_);
  complete_ = complete;
}

void MarkWriter::Finish() {
  if (thread_.Stop()) Write();
}

void MarkWriter::Write() {
  Marks marks;
  {
    const MutexLock lock(mu_);
    marks = std::exchange(noted_, {});
  }
  Status written;
  try {
    written = WriteNoted(marks);
  } catch (const std::exception& error) {  // lack of memory
    written = InternalError(error);
  }
  tell_(written.ok() ? RedactableText()
                     : "fensi cannot write the watermark of the index, and tries again: " + written.words());
  if (written.ok()) return;
  for (const auto& [partition, noted] : marks.by_partition) NoteAgain(noted, marks);
}

/// Unless a later assignment has noted something since.
void MarkWriter::NoteAgain(const Noted& noted, const Marks& marks) {
  {
    const MutexLock lock(mu_);
    const auto now = noted_.by_partition.find(noted.by->partition());
    if (now != noted_.by_partition.end() && now->second.by != noted.by) return;
  }
  Note(noted.by, noted.complete, marks.basis, marks.bulk_loads);
}

Status MarkWriter::Register() {
  FENSI_RETURN_IF_ERROR(may_register_());
  FENSI_RETURN_IF_ERROR(record_.Register(facts_));
  registered_ = true;
  // For people only: a column that cannot be parsed does not keep the watermarks from being written.
  const auto state = record_.Read();
  const bool known = state.ok() && state->has_value() && (*state)->incarnation == facts_.incarnation;
  NoteComplete(known ? (*state)->complete : std::nullopt);
  return {};
}

Status MarkWriter::WriteNoted(const Marks& marks) {
  if (!registered_) FENSI_RETURN_IF_ERROR(Register());
  if (marks.by_partition.empty()) return {};
  FENSI_RETURN_IF_ERROR(confirm_(marks.basis));
  meta::Marks confirmed{.by_partition = {}, .partitions = 0, .basis = marks.basis, .bulk_loads = marks.bulk_loads};
  for (const auto& [partition, noted] : marks.by_partition) {
    if (noted.by->Check().code() == StatusCode::kFenced) continue;
    confirmed.by_partition[partition] = noted.complete;
    confirmed.partitions = noted.by->partition_count();
  }
  if (confirmed.by_partition.empty()) return {};
  const auto complete = record_.NoteMarks(facts_.incarnation, confirmed);
  registered_ = complete.status().code() != StatusCode::kNotFound;
  if (complete.ok()) NoteComplete(*complete);
  return complete.status();
}

}  // namespace fensi::indexer
