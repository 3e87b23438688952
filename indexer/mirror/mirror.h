// Keeps an index exact as a mirror of its source (mapping::Scheme::kMirror; docs/maintenance.md, H1 to H15).
//
// A batch is applied in pieces, bounded by what their changes take: plan, read the source for what is in question,
// write puts, removals, dead letters; at the end the floors, before the offset moves. Nothing is read of an index or a
// state.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "consumer/change_source.h"
#include "indexer/keeper.h"
#include "indexer/mirror/floors.h"
#include "indexer/mirror/kept_floors.h"
#include "indexer/mirror/known_columns.h"
#include "indexer/mirror/mirror_planner.h"
#include "indexer/requests/index_cells.h"
#include "indexer/shown.h"
#include "indexer/state/read_pace.h"

namespace fensi::indexer {

class Mirror final : public Keeper {
 public:
  Mirror(const MaintainerContext& context, std::shared_ptr<consumer::Assignment> assignment);

  std::optional<std::chrono::milliseconds> second_look() const override;

 private:
  void Begin() override;
  Status ApplyPieces(const consumer::Batch& batch) override;
  Status LookAgainAtSome(const consumer::Batch& batch) override;

  Status Plan(const consumer::Batch& batch, size_t record, MirrorPlanner* planner, std::vector<Letter>* letters);
  /// Those of its row that a record may concern and does not name one by one; what it names is known from now on (H8).
  Status FindColumns(const ChangeEvent& event, const consumer::Request* recheck, Columns* columns);
  void NoteColumns(const ChangeEvent& event, const consumer::Request* recheck);
  Status AddKnown(const std::string& row, const std::string& family, Columns* columns);
  Status NoteColumnsOfSource(const std::string& row);
  /// Looks at the source for what is in question and writes all of it, as if the batch ended here.
  Status Finish(const consumer::Batch& batch, MirrorPlanner* planner, ChangeSet* changes, std::vector<Letter>* letters);
  Status Write(const consumer::Batch& batch, ChangeSet* changes, std::vector<Letter>* letters);
  void RaiseOverRefused(const ChangeEvent& event);
  /// The first of them, at least one: those of one row together, as many as may be in memory.
  Status AnswerSome(const consumer::Batch& batch, Look look, Questions* questions, MirrorPlanner* planner);
  Status Answer(const store::Row& row, Look look, bool again, const Mother& mother, Question* question,
                MirrorPlanner* planner);
  /// Takes the place of what waits for the same source cell.
  bool WaitsForSecond(const consumer::Batch& batch, const Mother& mother, const Question& question);
  Status RaiseRechecked(MirrorPlanner* planner, const Mother& mother, Question* question);
  /// What it shows of the source may not be all that we were told of.
  bool NeedsSecondLook(const consumer::Batch& batch, const Question& question) const;
  void NoteReceipt(const consumer::Batch& batch);

  Floors floors_;
  KeptFloors kept_;
  std::unique_ptr<KnownColumns> known_;  // null: the index names its columns
  Columns named_;                        // by the index, then
  IndexCells index_cells_;
  ReadPace pace_;  // of the source
  bool loaded_ = false;
  std::chrono::milliseconds received_{0};
  std::chrono::milliseconds all_shown_;  // what the stream told is shown then
  Questions waiting_;                    // for a second look
};

}  // namespace fensi::indexer
