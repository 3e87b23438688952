#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "hbase/calls/messages.h"
#include "hbase/calls/reads.h"
#include "hbase/errors.h"
#include "hbase/wire/answer_queue.h"
#include "hbase/wire/framing.h"

namespace fensi::hbase {
namespace {

namespace pb = proto::hbase;

/// Opens no scanner that stays. No cell is of that time, so the server looks into no file.
pb::ScanRequest RequestFor(const RegionLocation& region, const GetSpec& get) {
  pb::ScanRequest request;
  SetRegion(region.name, request.mutable_region());
  FillReading(get.columns, /*max_versions=*/1, /*raw=*/false, request.mutable_scan());
  request.mutable_scan()->set_start_row(get.row);
  request.mutable_scan()->mutable_time_range()->set_from(0);
  request.mutable_scan()->mutable_time_range()->set_to(1);
  request.set_number_of_rows(0);
  request.set_close_scanner(true);
  return request;
}

class PointReader {
 public:
  PointReader(const CallContext& context, const std::string& table, std::span<const GetSpec* const> gets)
      : context_(context), table_(table), gets_(gets), points_(gets.size()) {}

  Result<std::vector<ReadPoint>> Read();

 private:
  /// One region, and those of its rows that have no point yet.
  struct Asked {
    LocationPtr region;
    std::shared_ptr<Connection> connection;
    std::vector<size_t> rows;
  };

  Status Locate();
  Status AskAll();
  Status Take(Asked* asked, const Answer& answer);
  Status TakeError(const Asked& asked, const RemoteError& error);
  /// The rows are asked again in the next round.
  void Again(const std::vector<size_t>& rows, Remedy remedy, const Status& why);

  const CallContext& context_;
  const std::string& table_;
  const std::span<const GetSpec* const> gets_;
  std::vector<ReadPoint> points_;
  std::vector<size_t> open_;  // rows without a point
  std::vector<Asked> asked_;  // in this round
  Remedy remedy_ = Remedy::kAtOnce;
  Status why_;  // the round left rows open
  RetryPace pace_;
};

Result<std::vector<ReadPoint>> PointReader::Read() {
  for (size_t i = 0; i < gets_.size(); ++i) open_.push_back(i);
  while (true) {
    why_ = Status();
    FENSI_RETURN_IF_ERROR(Locate());
    FENSI_RETURN_IF_ERROR(AskAll());
    if (open_.empty()) return std::move(points_);
    const std::optional<Deadline> due = pace_.Next(remedy_, context_);
    if (!due) return why_;
    FENSI_RETURN_IF_ERROR(PauseUntil(context_.scope, *due));
  }
}

Status PointReader::Locate() {
  asked_.clear();
  std::map<const RegionLocation*, size_t> places;
  RowLocations locations(context_.locator, table_, context_.scope);
  for (const size_t row : std::exchange(open_, {})) {
    if (const Status found = locations.Find(gets_[row]->row); !found.ok()) {
      if (found.code() != StatusCode::kUnavailable) return found;
      Again({row}, Remedy::kPause, found);
      continue;
    }
    const LocationPtr& region = locations.current();
    const auto [place, is_new] = places.try_emplace(region.get(), asked_.size());
    if (is_new) {
      const ServerAddress& server = region->server;
      asked_.push_back({region, context_.connections->To(server.host, server.port, "ClientService"), {}});
    }
    asked_[place->second].rows.push_back(row);
  }
  return {};
}

Status PointReader::AskAll() {
  AnswerQueue queue(context_.scope);
  for (size_t i = 0; i < asked_.size(); ++i) {
    FENSI_RETURN_IF_ERROR(context_.scope.Granted());
    const Asked& asked = asked_[i];
    const uint32_t id = asked.connection->NewCallId();
    const pb::ScanRequest request = RequestFor(*asked.region, *gets_[asked.rows.front()]);
    queue.Send(asked.connection, id, BuildCall({id, "Scan", context_.scope.call_timeout}, request), i,
               context_.scope.call_timeout);
  }
  while (queue.in_flight() > 0) {
    Result<std::optional<AnswerQueue::Got>> got = queue.Next();
    if (!got.ok()) return got.status();
    if (got->has_value()) FENSI_RETURN_IF_ERROR(Take(&asked_[(*got)->tag], (*got)->answer));
  }
  return {};
}

Status PointReader::Take(Asked* asked, const Answer& answer) {
  if (answer.status.ok() && answer.error) return TakeError(*asked, *answer.error);
  if (!answer.status.ok()) {
    context_.locator->Disconnected(asked->region);
    Again(asked->rows, Remedy::kForgetRegion, answer.status);
    return {};
  }
  pb::ScanResponse response;
  if (!ParseMessage(answer.message, &response) || !response.has_mvcc_read_point()) {
    return UnreadableAnswer("Scan", "it has no read point").WithContext(asked->connection->Name());
  }
  for (const size_t row : asked->rows) points_[row] = {asked->region->EncodedName(), response.mvcc_read_point()};
  return {};
}

Status PointReader::TakeError(const Asked& asked, const RemoteError& error) {
  const Remedy remedy = RemedyFor(error);
  const Status why(StatusCode::kUnavailable, "read point of table " + table_ + ": " + asked.connection->Name() + ": " +
                                                 ErrorWords(error, *asked.region));
  if (remedy == Remedy::kFinal) return why.As(CodeOfTable(error));
  if (remedy == Remedy::kThrottled) return why;
  context_.locator->Learn(asked.region, error);
  asked.connection->stats().Repeated();
  const bool lasting = remedy == Remedy::kForgetRegion && pace_.attempts() > 0;
  if (lasting) FENSI_RETURN_IF_ERROR(CheckEnabled(context_, table_));
  Again(asked.rows, remedy, why);
  return {};
}

void PointReader::Again(const std::vector<size_t>& rows, Remedy remedy, const Status& why) {
  open_.insert(open_.end(), rows.begin(), rows.end());
  // The most patient remedy of the round counts for all.
  const bool is_patient = remedy == Remedy::kLongPause || (remedy == Remedy::kPause && remedy_ != Remedy::kLongPause);
  if (why_.ok() || is_patient) {
    remedy_ = remedy;
    why_ = why;
  }
}

}  // namespace

Result<std::vector<ReadPoint>> ReadPoints(const CallContext& context, const std::string& table,
                                          std::span<const GetSpec* const> gets) {
  return PointReader(context, table, gets).Read();
}

}  // namespace fensi::hbase
