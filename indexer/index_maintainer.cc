#include "indexer/index_maintainer.h"

#include <array>
#include <string>
#include <utility>

#include "indexer/remedies.h"

namespace fensi::indexer {
namespace {

std::unique_ptr<RowChangelog> ChangelogOf(const MaintainerOptions& context,
                                          const std::shared_ptr<consumer::Assignment>& assignment) {
  if (context.changelog == nullptr || context.index->changelog() == nullptr) return nullptr;
  const auto owned = [assignment] { return assignment->Check(); };
  const consumer::Changelog::Calls calls{owned, context.go_on ? context.go_on : owned,
                                         context.tell ? context.tell : [](const std::string&) {}};
  return std::make_unique<RowChangelog>(context.index, context.store, context.clock, context.counters,
                                        context.read_bytes, context.version,
                                        context.changelog->WriterOf(assignment->partition(), calls));
}

}  // namespace

IndexMaintainer::IndexMaintainer(const MaintainerOptions& context, std::shared_ptr<consumer::Assignment> assignment)
    : context_(context),
      assignment_(std::move(assignment)),
      phases_(context.timings),
      changelog_(ChangelogOf(context, assignment_)),
      writer_(context.index, context.store, context.clock, &phases_, changelog_.get()) {}

Status IndexMaintainer::Apply(const consumer::Batch& batch) {
  requests_ = {};
  phases_.Spend(Phase::kDecode, batch.decoding);
  FENSI_RETURN_IF_ERROR(ApplyNow(batch));
  FENSI_RETURN_IF_ERROR(NoteLoads(batch));
  FinishPhases();
  NoteBatch(batch);
  return {};
}

Status IndexMaintainer::Apply(const ToldRequests& told) {
  requests_ = told.requests;
  FENSI_RETURN_IF_ERROR(ApplyNow(told.batch));
  FinishPhases();
  context_.counters->stale_requests += told.stale;
  context_.counters->requests += static_cast<int64_t>(told.requests.size()) + told.stale;
  return {};
}

Status IndexMaintainer::ApplyNow(const consumer::Batch& batch) {
  Begin(batch);
  phases_.Start();
  // Before the plan: a former owner must not write an envelope after this owner has read the states.
  if (changelog_ != nullptr) FENSI_RETURN_IF_ERROR(changelog_->Open());
  FENSI_RETURN_IF_ERROR(assignment_->Check());
  return ApplyPieces(batch);
}

Status IndexMaintainer::RereadSource(const consumer::Batch& batch) {
  phases_.Start();
  FENSI_RETURN_IF_ERROR(assignment_->Check());
  while (second_look()) FENSI_RETURN_IF_ERROR(LookAgainAtSome(batch));
  EndRereads();
  FinishPhases();
  return {};
}

void IndexMaintainer::NoteBatch(const consumer::Batch& batch) {
  Counters* counters = context_.counters;
  for (const consumer::Record& record : batch.records) {
    counters->consumed_bytes += static_cast<int64_t>(record.key.size() + record.value.size());
    if (record.decoded.ok() && record.event.table != context_.index->source_table()) ++counters->skipped;
  }
  ++counters->batches;
  // Last: see Counters.
  counters->events += static_cast<int64_t>(batch.records.size());
}

Status IndexMaintainer::NoteLoads(const consumer::Batch& batch) {
  std::vector<Letter> letters;
  for (size_t i = 0; i < batch.records.size(); ++i) {
    const consumer::Record& record = batch.records[i];
    if (!record.decoded.ok() || !IsLoadOf(*context_.index, record.event)) continue;
    if (!context_.note_load) {
      letters.push_back({i, UnfollowedLoadText(*context_.index, record.event), LetterKind::kSourceRequired});
      continue;
    }
    FENSI_RETURN_IF_ERROR(assignment_->Check());
    FENSI_RETURN_IF_ERROR(context_.note_load(record.event));
    ++context_.counters->bulk_loads;
  }
  return SendDeadLetters(batch, &letters);
}

void IndexMaintainer::FinishPhases() {
  phases_.Pause();
  if (!second_look()) phases_.Finish();
}

Status IndexMaintainer::WriteIndex(const consumer::Batch& batch, ChangeSet* changes, std::vector<Letter>* letters) {
  const int64_t puts = writer_.puts(), deletes = writer_.deletes();
  FENSI_RETURN_IF_ERROR(writer_.Write({&batch, &requests_}, changes, letters));
  context_.counters->puts += writer_.puts() - puts;
  context_.counters->deletes += writer_.deletes() - deletes;
  return {};
}

bool IndexMaintainer::MayTell(const Letter& letter) {
  const bool of_image =
      !requests_.empty() && requests_[letter.record]->kind == consumer::Request::Kind::kImage && letter.unmappable();
  if (!of_image) return true;
  ++context_.counters->unmappable_images;
  return letters_of_images_.Take(requests_[letter.record]->job);
}

std::string IndexMaintainer::Topic(const consumer::Batch& batch) const {
  return requests_.empty() ? batch.assignment->topic() : context_.index->requests_topic();
}

Status IndexMaintainer::SendDeadLetters(const consumer::Batch& batch, std::vector<Letter>* letters) {
  if (letters->empty()) return {};
  const InPhase phase(&phases_, Phase::kDeadLetters);
  std::array<int64_t, kLetterKinds> sent{};
  for (const Letter& letter : *letters) {
    const consumer::Record& record = batch.records[letter.record];
    if (!MayTell(letter)) continue;
    ++sent[static_cast<size_t>(letter.kind)];
    FENSI_RETURN_IF_ERROR(context_.dead_letters->Send({.index = context_.index->name(),
                                                       .reason = letter.reason,
                                                       .topic = Topic(batch),
                                                       .partition = batch.assignment->partition(),
                                                       .offset = record.offset,
                                                       .row = record.event.row,
                                                       .original_key = std::string(record.key),
                                                       .original = std::string(record.value),
                                                       .kind = kStoredLetterKindNames[static_cast<size_t>(letter.kind)],
                                                       .replays = record.replays}));
  }
  letters->clear();
  FENSI_RETURN_IF_ERROR(context_.dead_letters->Flush());
  for (size_t i = 0; i < kLetterKinds; ++i) {
    context_.counters->letters_of[i] += sent[i];
    context_.counters->dead_letters += sent[i];
  }
  return {};
}

}  // namespace fensi::indexer
