#include "hbase/calls/writes.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "hbase/calls/batch.h"
#include "hbase/calls/messages.h"
#include "hbase/errors.h"
#include "hbase/wire/cell_writer.h"
#include "hbase/wire/framing.h"

namespace fensi::hbase {
namespace {

namespace pb = proto::hbase;

constexpr int32_t kEqual = 2;
constexpr char kComparatorName[] = "org.apache.hadoop.hbase.filter.BinaryComparator";

class WriteActions final : public BatchActions {
 public:
  explicit WriteActions(std::span<const Mutation> mutations) : mutations_(mutations) {}

  size_t size() const override { return mutations_.size(); }
  std::string_view RowOf(size_t item) const override { return mutations_[item].row; }
  size_t BytesOf(size_t item) const override { return RequestBytes(mutations_[item]); }
  std::string Build(const CallHead& head, std::span<const RegionActions> regions) const override {
    return BuildMutations(head, regions, mutations_);
  }
  void Take(size_t, RegionAnswer::OfItem*, const FrameBytes&) override {}
  Status Refuse(const Refusal& refusal) override {
    refused_.push_back(refusal);
    return {};
  }
  bool MayBlameOne(const RemoteError& error) const override { return !ConcernsTable(error); }
  bool Change() const override { return true; }
  std::string Doing() const override {
    return "write of " + std::to_string(mutations_.size()) + (mutations_.size() == 1 ? " row" : " rows");
  }

  std::vector<Refusal> refused() {
    std::sort(refused_.begin(), refused_.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
    return std::move(refused_);
  }

 private:
  const std::span<const Mutation> mutations_;
  std::vector<Refusal> refused_;
};

pb::MutateRequest RequestOf(const RegionLocation& region, const Mutation& put, const Condition& condition) {
  pb::MutateRequest request;
  SetRegion(region.name, request.mutable_region());
  FillMutation(put, request.mutable_mutation());
  pb::Condition* asked = request.mutable_condition();
  asked->set_row(put.row.data(), put.row.size());
  asked->set_family(std::string(condition.family));
  asked->set_qualifier(std::string(condition.qualifier));
  asked->set_compare_type(kEqual);
  pb::BinaryComparator comparator;
  comparator.mutable_comparable()->set_value(std::string(condition.expected));
  asked->mutable_comparator()->set_name(kComparatorName);
  asked->mutable_comparator()->set_serialized_comparator(comparator.SerializeAsString());
  return request;
}

std::string BuildConditional(const CallHead& head, const RegionLocation& region, const Mutation& put,
                             const Condition& condition) {
  size_t bytes = 0;
  for (const Cell& cell : put.cells) bytes += WrittenBytes(put.row, cell);
  return BuildCall(head, RequestOf(region, put, condition), bytes, [&](char* to) {
    for (const Cell& cell : put.cells) to = WriteCell(put.row, cell, to);
  });
}

/// Sends the call once; the connection's answer.
Result<AnswerQueue::Got> SendConditional(const CallContext& context, const RegionLocation& region, const Mutation& put,
                                         const Condition& condition) {
  FENSI_RETURN_IF_ERROR(context.scope.Granted());
  const auto connection = context.connections->To(region.server.host, region.server.port, "ClientService");
  AnswerQueue queue(context.scope);
  const uint32_t id = connection->NewCallId();
  const auto timeout = context.scope.call_timeout;
  queue.Send(connection, id, BuildConditional({id, "Mutate", timeout}, region, put, condition), 0, timeout,
             Effect::kChanges);
  Result<std::optional<AnswerQueue::Got>> got = queue.Next();
  if (!got.ok()) return got.status();
  return std::move(**got);
}

Result<ConditionalOutcome> ReadConditional(const Answer& answer, const std::string& server) {
  pb::MutateResponse response;
  if (ParseMessage(answer.message, &response) && response.has_processed())
    return ConditionalOutcome{.done = response.processed()};
  return MayBeDone(UnreadableAnswer("Mutate").WithContext(server));
}

}  // namespace

Result<std::vector<Refusal>> WriteBatch(const CallContext& context, const std::string& table,
                                        std::span<const Mutation> mutations) {
  WriteActions actions(mutations);
  FENSI_RETURN_IF_ERROR(Batch(context, table, &actions).Run());
  return actions.refused();
}

Result<ConditionalOutcome> WriteIf(const CallContext& context, const std::string& table, const Mutation& put,
                                   const Condition& condition) {
  RetryPace pace;
  while (true) {
    const Result<LocationPtr> region = context.locator->Locate(table, put.row, context.scope);
    Remedy remedy = Remedy::kPause;
    Status why = region.status();
    std::shared_ptr<Connection> asked;
    if (!why.ok() && why.code() != StatusCode::kUnavailable) return why;
    if (region.ok()) {
      const Result<AnswerQueue::Got> got = SendConditional(context, **region, put, condition);
      if (!got.ok()) return got.status();
      const Answer& answer = got->answer;
      if (answer.status.ok() && !answer.error) return ReadConditional(answer, got->connection->Name());
      if (answer.error) {
        // One that has a row in the table means that the server did not do it.
        remedy = RemedyFor(*answer.error);
        why = Status(StatusCode::kUnavailable, got->connection->Name() + ": " + ErrorWords(*answer.error, **region));
        if (ShortName(*answer.error) == kAnswerTooLarge) return MayBeDone(why);
        if (remedy == Remedy::kFinal) {
          if (ConcernsTable(*answer.error)) return why.As(CodeOfTable(*answer.error));
          return ConditionalOutcome{.refused = answer.error};
        }
        if (remedy == Remedy::kUnknownClass) return MayBeDone(why);
        if (remedy == Remedy::kThrottled) return why;
        context.locator->Learn(*region, *answer.error);
        const bool lasting = remedy == Remedy::kForgetRegion && pace.attempts() > 0;
        if (lasting) FENSI_RETURN_IF_ERROR(CheckEnabled(context, table));
      } else {
        context.locator->Disconnected(*region);
        if (answer.may_be_done) return MayBeDone(answer.status);
        why = answer.status;
      }
      asked = got->connection;
    }
    const std::optional<Deadline> due = pace.Next(remedy, context);
    if (!due) return why;
    FENSI_RETURN_IF_ERROR(PauseUntil(context.scope, *due));
    if (asked != nullptr) asked->stats().Repeated();
  }
}

}  // namespace fensi::hbase
