// Keeps an index exact without row states (mapping::Scheme::kStateless; docs/maintenance.md, H1 to H15).
//
// Applies a batch in pieces, bounded by the size of their changes: plans, reads the source for questions, writes puts,
// removals and dead letters, and at the end the floors, before the offset moves. Reads neither the index nor any state.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "consumer/change_source.h"
#include "indexer/index_maintainer.h"
#include "indexer/mirror/floors.h"
#include "indexer/mirror/known_columns.h"
#include "indexer/mirror/mirror_planner.h"
#include "indexer/requests/index_cells.h"
#include "indexer/reread_schedule.h"
#include "indexer/state/read_sizer.h"

namespace fensi::indexer {

class Mirror final : public IndexMaintainer {
 public:
  Mirror(const MaintainerOptions& context, std::shared_ptr<consumer::Assignment> assignment);

  std::optional<std::chrono::milliseconds> second_look() const override;

 private:
  void Begin(const consumer::Batch& batch) override;
  Status ApplyPieces(const consumer::Batch& batch) override;
  Status LookAgainAtSome(const consumer::Batch& batch) override;
  void EndRereads() override;

  Status Plan(const consumer::Batch& batch, size_t record, MirrorPlanner* planner, std::vector<Letter>* letters);
  /// Finds the columns of the row that a record may concern without naming them; the columns that it names are known
  /// from now on (H8).
  Status FindColumns(const ChangeEvent& event, const consumer::Request* recheck, Columns* columns);
  void NoteColumns(const ChangeEvent& event, const consumer::Request* recheck);
  Status AddKnown(const std::string& row, const std::string& family, Columns* columns);
  Status NoteColumnsOfSource(const std::string& row);
  /// Reads the source for all questions and writes everything, as if the batch ended here.
  Status Finish(const consumer::Batch& batch, MirrorPlanner* planner, ChangeSet* changes, std::vector<Letter>* letters);
  Status Write(const consumer::Batch& batch, ChangeSet* changes, std::vector<Letter>* letters);
  void RaiseOverRefused(const ChangeEvent& event);
  /// Answers the first questions, at least one: those of one row together, as many as fit into memory.
  Status AnswerSome(const consumer::Batch& batch, Look look, Questions* questions, MirrorPlanner* planner);
  Status Answer(const store::Row& row, Look look, bool again, const Mother& mother, Question* question,
                MirrorPlanner* planner);
  /// True if the question waits for the delayed re-read. It replaces a waiting question of the same source cell.
  bool WaitsForSecond(const consumer::Batch& batch, const Mother& mother, const Question& question,
                      const ReadPointPtr& point);
  Status RaiseRechecked(MirrorPlanner* planner, const Mother& mother, Question* question);
  /// The read may not show every change that the stream sent.
  bool NeedsSecondLook(const consumer::Batch& batch, const Question& question, const ReadPointPtr& point) const;
  /// Reads the rows again that the source does not show completely yet, for some milliseconds.
  Status AwaitShown(const consumer::Batch& batch, const std::vector<store::GetRequest>& requests,
                    const Questions& questions, std::vector<store::Row>* rows);

  Floors floors_;
  FloorStore kept_;
  std::unique_ptr<KnownColumns> known_;  // null: the index names its columns
  Columns named_;                        // the columns that the index names, in that case
  IndexCells index_cells_;
  ReadSizer pace_;  // for reads of the source
  bool loaded_ = false;
  RereadSchedule schedule_;
  Questions waiting_;  // for the delayed re-read
  Questions later_;    // for the one after it
};

}  // namespace fensi::indexer
