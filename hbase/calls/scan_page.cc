#include "hbase/calls/scan_page.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <utility>

#include "hbase/calls/messages.h"
#include "hbase/errors.h"
#include "hbase/wire/answer_queue.h"
#include "hbase/wire/framing.h"

namespace fensi::hbase {
namespace {

namespace pb = proto::hbase;

constexpr size_t kNoBound = std::numeric_limits<size_t>::max();
constexpr size_t kMostCellsOfResult = 10'000;
constexpr size_t kSmallestAnswer = 2 << 10;
constexpr size_t kFewerCells = 1'000;

/// A scanner of one region.
struct RegionScanner {
  LocationPtr region;
  std::shared_ptr<Connection> connection;
  bool open = false;
  uint64_t id = 0;    // of an open one, as is the next
  uint64_t next = 0;  // number of its next call
};

class PageReader {
 public:
  PageReader(const CallContext& context, const std::string& table, const ScanSpec& spec)
      : context_(context),
        table_(table),
        spec_(spec),
        start_(spec.start),
        include_start_(spec.include_start),
        answer_bytes_(spec.answer_bytes) {}

  Result<ScanPage> Read();

 private:
  enum class Step { kGoOn, kPageIsFull, kRangeIsRead };

  Result<Step> ReadRegion();
  Result<Step> TakeAnswer(const Answer& answer, RegionScanner* scanner);
  Status TakeCells(const pb::ScanResponse& response, const Answer& answer);
  void KeepCells(size_t first, const FrameBytes& frame);
  void AddCell(const CellView& cell);
  bool IsPutTooMany(const CellView& cell);
  void EndRow();
  bool CutAtBound();
  Step GoBehind(const RegionLocation& region);
  Status Recover(const RegionScanner& scanner, const Answer& answer);
  Status RecoverFrom(const RegionScanner& scanner, const RemoteError& error);
  Status RetryWhen(Remedy remedy, const Status& why);
  bool AskForLess();
  void DropBegunRow();
  pb::ScanRequest RequestFor(const RegionScanner& scanner) const;
  void FillScan(pb::Scan* scan) const;
  bool IsFull() const { return page_.rows.size() >= spec_.max_rows && !row_open_; }
  size_t RowsLeft() const { return spec_.max_rows - page_.rows.size() + (row_in_page_ ? 1 : 0); }

  const CallContext& context_;
  const std::string& table_;
  const ScanSpec& spec_;
  ScanPage page_;
  // Where the next scanner is opened: after the last whole row.
  std::string start_;
  bool include_start_;
  size_t answer_bytes_;
  size_t cells_of_result_ = 0;  // 0: as many as an answer takes
  // The row that has begun and may go on.
  bool row_open_ = false;
  bool row_in_page_ = false;  // some of its cells are wanted
  size_t rows_ended_ = 0;
  std::string row_;
  // Its column whose puts are counted, in a raw read.
  std::string family_, qualifier_;
  int32_t puts_ = 0;
  RetryPace pace_;
};

Result<ScanPage> PageReader::Read() {
  if (spec_.max_cells != kNoBound) {
    const size_t at_once = std::min(spec_.max_rows, spec_.max_cells);
    cells_of_result_ = std::clamp<size_t>(spec_.max_cells / at_once, 1, kMostCellsOfResult);
  }
  while (true) {
    const Result<Step> step = ReadRegion();
    if (!step.ok()) return step.status();
    if (*step == Step::kGoOn) continue;
    page_.at_end = *step == Step::kRangeIsRead;
    return std::move(page_);
  }
}

void PageReader::FillScan(pb::Scan* scan) const {
  FillReading(spec_.columns, spec_.max_versions, spec_.raw, scan);
  scan->set_start_row(start_);
  scan->set_include_start_row(include_start_);
  scan->set_stop_row(spec_.stop);
  scan->set_max_result_size(answer_bytes_);
  scan->set_allow_partial_results(true);
  if (cells_of_result_ > 0) scan->set_batch_size(static_cast<uint32_t>(cells_of_result_));
  if (!spec_.filter.empty()) {
    scan->mutable_filter()->set_name(spec_.filter.name);
    scan->mutable_filter()->set_serialized_filter(spec_.filter.bytes);
  }
  if (spec_.times.all()) return;
  scan->mutable_time_range()->set_from(static_cast<uint64_t>(spec_.times.from));
  scan->mutable_time_range()->set_to(static_cast<uint64_t>(spec_.times.to));
}

pb::ScanRequest PageReader::RequestFor(const RegionScanner& scanner) const {
  pb::ScanRequest request;
  const auto rows = static_cast<uint32_t>(std::min<size_t>(RowsLeft(), INT32_MAX));
  request.set_number_of_rows(rows);
  request.set_limit_of_rows(rows);
  request.set_client_handles_partials(true);
  request.set_client_handles_heartbeats(true);
  if (scanner.open) {
    request.set_scanner_id(scanner.id);
    request.set_next_call_seq(scanner.next);
    return request;
  }
  SetRegion(scanner.region->name, request.mutable_region());
  FillScan(request.mutable_scan());
  request.mutable_scan()->set_caching(rows);
  return request;
}

/// The server closes a scanner that has come to the end of its region, or to the limit of rows.
void CloseScanner(const RegionScanner& scanner) {
  if (!scanner.open) return;
  pb::ScanRequest request;
  request.set_scanner_id(scanner.id);
  request.set_number_of_rows(0);
  request.set_close_scanner(true);
  const uint32_t id = scanner.connection->NewCallId();
  scanner.connection->Send(id, BuildCall({id, "Scan", std::chrono::milliseconds(0)}, request), nullptr, nullptr);
}

/// True if the server did not run the call, or answers too late: it holds the scanner until its lease ends.
bool MayBeOpen(const Answer& answer) {
  if (!answer.error) return true;
  const Remedy remedy = RemedyFor(*answer.error);
  return remedy == Remedy::kLongPause || remedy == Remedy::kThrottled;
}

Result<PageReader::Step> PageReader::ReadRegion() {
  const Result<LocationPtr> region = context_.locator->Locate(table_, start_, context_.scope);
  if (!region.ok()) {
    if (region.status().code() != StatusCode::kUnavailable) return region.status();
    FENSI_RETURN_IF_ERROR(RetryWhen(Remedy::kPause, region.status()));
    return Step::kGoOn;
  }
  const ServerAddress& server = (*region)->server;
  const auto use = table_ == kMetaTable ? Connections::Use::kLookups : Connections::Use::kCalls;
  RegionScanner scanner{*region, context_.connections->To(server.host, server.port, "ClientService", use)};
  do {
    const Result<Answer> answer = CallAndWait(scanner.connection, "Scan", RequestFor(scanner), context_.scope);
    if (!answer.ok()) {
      CloseScanner(scanner);
      return answer.status();
    }
    if (!answer->status.ok() || answer->error) {
      if (MayBeOpen(*answer)) CloseScanner(scanner);
      FENSI_RETURN_IF_ERROR(Recover(scanner, *answer));
      return IsFull() ? Step::kPageIsFull : Step::kGoOn;
    }
    const Result<Step> step = TakeAnswer(*answer, &scanner);
    if (!step.ok() || *step != Step::kGoOn) {
      CloseScanner(scanner);
      return step;
    }
  } while (scanner.open);
  return Step::kGoOn;
}

Result<PageReader::Step> PageReader::TakeAnswer(const Answer& answer, RegionScanner* scanner) {
  pb::ScanResponse response;
  if (!ParseMessage(answer.message, &response)) {
    return UnreadableAnswer("Scan").WithContext(scanner->connection->Name());
  }
  if (!scanner->open) page_.read_points.push_back({scanner->region->EncodedName(), response.mvcc_read_point()});
  // Without more results, but more in the region, the limit of rows is reached.
  const bool more = !response.has_more_results() || response.more_results();
  const bool more_here = !response.has_more_results_in_region() || response.more_results_in_region();
  if (scanner->open) ++scanner->next;  // the call that opens it has no number
  scanner->open = more && more_here;
  if (response.has_scanner_id()) scanner->id = response.scanner_id();
  const size_t rows = rows_ended_;
  FENSI_RETURN_IF_ERROR(TakeCells(response, answer).WithContext(scanner->connection->Name()));
  if (!scanner->open) EndRow();
  if (rows_ended_ > rows) pace_ = RetryPace();  // it gets on
  if (CutAtBound()) return Step::kPageIsFull;
  const bool full = IsFull();
  // At its limit of rows a server may have dropped what it had read of the next row.
  const bool at_limit = !more && rows_ended_ > rows;
  if (!more && more_here && !at_limit) {
    return UnreadableAnswer("Scan", "it ends at a limit of rows, and has none")
        .WithContext(scanner->connection->Name());
  }
  if (!more_here && !at_limit) {
    const Step behind = GoBehind(*scanner->region);
    return behind == Step::kGoOn && full ? Step::kPageIsFull : behind;
  }
  return full ? Step::kPageIsFull : Step::kGoOn;
}

PageReader::Step PageReader::GoBehind(const RegionLocation& region) {
  const bool is_last = region.end.empty() || (!spec_.stop.empty() && region.end >= spec_.stop);
  if (is_last) return Step::kRangeIsRead;
  start_ = region.end;
  include_start_ = true;
  pace_ = RetryPace();  // it gets on, also where no row is wanted
  return Step::kGoOn;
}

Status PageReader::TakeCells(const pb::ScanResponse& response, const Answer& answer) {
  CellBlockReader reader(answer.cells);
  const size_t before = page_.cells.size();
  for (int i = 0; i < response.cells_per_result_size(); ++i) {
    for (uint32_t left = response.cells_per_result(i); left > 0; --left) {
      CellView cell;
      if (reader.AtEnd()) return UnreadableAnswer("Scan", "it has fewer cells than its header counts");
      if (Status read = reader.Next(&cell); !read.ok()) return read.As(StatusCode::kUnavailable);
      AddCell(cell);
    }
    const bool partial = i < response.partial_flag_per_result_size() && response.partial_flag_per_result(i);
    if (!partial) EndRow();
  }
  if (!reader.AtEnd()) {
    return UnreadableAnswer("Scan", "it has more cells than its header counts");
  }
  KeepCells(before, answer.frame);
  return {};
}

/// Keeps the bytes of the cells from `first` on: the whole frame, or a copy if they are a small part of it. A page of
/// few wanted cells must not hold the memory of all that was read.
void PageReader::KeepCells(size_t first, const FrameBytes& frame) {
  constexpr size_t kSmallPart = 4;
  if (page_.cells.size() == first) return;
  const auto views = [](CellView* cell) {
    return std::array{&cell->row, &cell->family, &cell->qualifier, &cell->value, &cell->tags};
  };
  size_t bytes = 0;
  for (size_t i = first; i < page_.cells.size(); ++i) {
    for (const std::string_view* view : views(&page_.cells[i])) bytes += view->size();
  }
  if (bytes >= frame.size / kSmallPart) return page_.frames.push_back(frame);
  const std::shared_ptr<char[]> copy = std::make_shared_for_overwrite<char[]>(bytes);
  char* to = copy.get();
  for (size_t i = first; i < page_.cells.size(); ++i) {
    for (std::string_view* view : views(&page_.cells[i])) {
      char* const begin = to;
      to = std::copy(view->begin(), view->end(), to);
      *view = {begin, view->size()};
    }
  }
  for (auto row = page_.rows.rbegin(); row != page_.rows.rend() && row->first >= first; ++row) {
    row->row = page_.cells[row->first].row;
  }
  page_.frames.push_back({copy, bytes, 0});
}

void PageReader::AddCell(const CellView& cell) {
  if (row_open_ && row_ != cell.row) EndRow();
  if (!row_open_) {
    row_open_ = true;
    row_ = cell.row;
    family_.clear();
    qualifier_.clear();
    puts_ = 0;
  }
  if (spec_.wanted && !spec_.wanted(cell)) return;
  if (spec_.raw && IsPutTooMany(cell)) return;
  if (!row_in_page_) page_.rows.push_back({cell.row, page_.cells.size(), 0});
  row_in_page_ = true;
  page_.cells.push_back(cell);
  ++page_.rows.back().count;
}

bool PageReader::IsPutTooMany(const CellView& cell) {
  if (family_ != cell.family || qualifier_ != cell.qualifier) {
    family_ = cell.family;
    qualifier_ = cell.qualifier;
    puts_ = 0;
  }
  return cell.type == static_cast<uint8_t>(CellType::kPut) && ++puts_ > spec_.max_versions;
}

void PageReader::EndRow() {
  if (!row_open_) return;
  row_open_ = row_in_page_ = false;
  ++rows_ended_;
  start_ = row_;
  include_start_ = false;
}

/// Drops the cells of an unfinished row, which are read again.
void PageReader::DropBegunRow() {
  if (row_in_page_) {
    page_.cells.resize(page_.rows.back().first);
    page_.rows.pop_back();
  }
  row_open_ = row_in_page_ = false;
}

/// False: the page has room, or nobody knows yet where its last column ends.
bool PageReader::CutAtBound() {
  if (page_.cells.size() < spec_.max_cells) return false;
  size_t cut = spec_.max_cells;
  const auto same = [&](size_t at) {
    const CellView &a = page_.cells[at - 1], &b = page_.cells[at];
    return a.row == b.row && a.family == b.family && a.qualifier == b.qualifier;
  };
  while (cut < page_.cells.size() && same(cut)) ++cut;
  if (cut == page_.cells.size()) return !row_open_;
  page_.within_row = page_.cells[cut - 1].row == page_.cells[cut].row;
  page_.cells.resize(cut);
  while (page_.rows.back().first >= cut) page_.rows.pop_back();
  page_.rows.back().count = cut - page_.rows.back().first;
  return true;
}

Status PageReader::Recover(const RegionScanner& scanner, const Answer& answer) {
  if (answer.error) return RecoverFrom(scanner, *answer.error);
  DropBegunRow();
  context_.locator->Disconnected(scanner.region);
  return RetryWhen(Remedy::kForgetRegion, answer.status);
}

Status PageReader::RecoverFrom(const RegionScanner& scanner, const RemoteError& error) {
  DropBegunRow();
  if (IsTooMuchAtOnce(error) && AskForLess()) return {};
  const Remedy remedy = RemedyFor(error);
  const Status why(StatusCode::kUnavailable, "scan of table " + table_ + ": " + scanner.connection->Name() + ": " +
                                                 ErrorWords(error, *scanner.region));
  if (remedy == Remedy::kFinal) return why.As(CodeOfTable(error));
  if (remedy == Remedy::kThrottled) return why;
  context_.locator->Learn(scanner.region, error);
  const bool lasting = remedy == Remedy::kForgetRegion && pace_.attempts() > 0 && table_ != kMetaTable;
  if (lasting) FENSI_RETURN_IF_ERROR(CheckEnabled(context_, table_));
  scanner.connection->stats().Repeated();
  return RetryWhen(remedy, why);
}

/// HBase reads no more of a row at once than hbase.table.max.rowsize.
bool PageReader::AskForLess() {
  constexpr size_t kStep = 16;
  const bool less = answer_bytes_ > kSmallestAnswer || cells_of_result_ != 1;
  answer_bytes_ = std::max(answer_bytes_ / kStep, kSmallestAnswer);
  cells_of_result_ = cells_of_result_ == 0 ? kFewerCells : std::max<size_t>(cells_of_result_ / kStep, 1);
  return less;
}

Status PageReader::RetryWhen(Remedy remedy, const Status& why) {
  const std::optional<Deadline> due = pace_.Next(remedy, context_);
  return due ? PauseUntil(context_.scope, *due) : why;
}

}  // namespace

Result<ScanPage> ReadPage(const CallContext& context, const std::string& table, const ScanSpec& spec) {
  return PageReader(context, table, spec).Read();
}

}  // namespace fensi::hbase
