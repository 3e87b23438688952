#include "operations/backfill/plan.h"

#include "base/text.h"
#include "operations/access/position.h"
#include "operations/verify/verified.h"

namespace fensi::operations {
namespace {

/// "open", "paused", "cancelled" or "done".
std::string StateOf(const sweep::Job& job) {
  if (job.ended_at != 0) return "done";
  if (job.pace.wish == sweep::Wish::kCancel) return "cancelled";
  return job.pace.wish == sweep::Wish::kPause ? "paused" : "open";
}

std::string BoardText(const sweep::JobSnapshot& board) {
  return "the last backfill, made at " + TimeText(board.job.made_at) + ", is " + StateOf(board.job) + ": " +
         Counted(board.sum().rows, "row") + ", " + std::to_string(board.ranges_done()) + " of " +
         Counted(static_cast<int64_t>(board.ranges.size()), "range") + " done";
}

nlohmann::ordered_json BoardJson(const sweep::JobSnapshot& board) {
  const sweep::Place sum = board.sum();
  return {
      {"job", board.job.name}, {"state", StateOf(board.job)},   {"made_at", board.job.made_at},      {"rows", sum.rows},
      {"bytes", sum.bytes},    {"ranges", board.ranges.size()}, {"ranges_done", board.ranges_done()}};
}

}  // namespace

std::string PlanText(const BackfillPlan& plan) {
  std::string text = "index " + plan.index->name() + ": rows of table " + plan.index->source_table() + " in " +
                     Counted(static_cast<int64_t>(plan.ranges), "range") + " (the table has " +
                     Counted(plan.regions, "region") + "), owned by " + plan.owners + "\n";
  text += "  phase " + std::string(meta::PhaseName(plan.state.phase)) + ", " +
          (plan.state.complete ? "complete to " + TimeText(*plan.state.complete) : "no watermark") + "\n";
  const std::string verified = ShownVerified(plan.state.verified);
  if (!verified.empty()) text += "  " + verified + "\n";
  if (plan.last) text += "  " + BoardText(*plan.last) + "\n";
  return text;
}

nlohmann::ordered_json PlanJson(const BackfillPlan& plan) {
  nlohmann::ordered_json json = {{"kind", "plan"},
                                 {"index", plan.index->name()},
                                 {"source_table", plan.index->source_table()},
                                 {"ranges", plan.ranges},
                                 {"regions", plan.regions},
                                 {"owners", plan.owners},
                                 {"phase", meta::PhaseName(plan.state.phase)},
                                 {"complete", nullptr},
                                 {"last", nullptr}};
  if (plan.state.complete) json["complete"] = *plan.state.complete;
  if (plan.last) json["last"] = BoardJson(*plan.last);
  return json;
}

}  // namespace fensi::operations
