#include "store/hbase/calls/server_check.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "THBaseService.h"
#include "store/check.h"
#include "store/hbase/messages/conversions.h"
#include "store/hbase/messages/filters.h"

namespace fensi::store {
namespace {

/// Bytes that HBase's client adds to the row: two commas and fourteen nines.
constexpr size_t kAddedBytes = 16;

size_t LongestToFind(const std::string& table) { return kMaxRowBytes - kAddedBytes - table.size(); }

}  // namespace

bool MayBeTooLongToFind(const std::string& table, const std::string& row) { return row.size() > LongestToFind(table); }

Status ProbeRow(Connection& connection, const std::string& table, const std::string& row) {
  const thrift2::TGet get = ToGet({.row = row.substr(0, LongestToFind(table))});
  return connection.Call("trial of a get from table " + table, [&](thrift2::THBaseServiceClient& client) {
    std::vector<thrift2::TResult> unused;
    client.getMultiple(unused, table, {get});
  });
}

Status ProbeWrite(Connection& connection, const std::string& table, const std::string& row, const std::string& family) {
  const thrift2::TPut put = ToPut({row.substr(0, LongestToFind(table)), {ProbeCell(family)}});
  return connection.Call("trial of a small put to table " + table,
                         [&](thrift2::THBaseServiceClient& client) { client.putMultiple(table, {put}); });
}

namespace {

using Client = thrift2::THBaseServiceClient;

/// As a row that is read on from a column of it, and as a scan that uses each of our filters.
thrift2::TGet FilteredGet() {
  thrift2::TGet get = ToGet({.row = std::string(kAskedRow), .raw = true});
  get.__set_storeLimit(1);
  get.__set_filterString(ColumnsFrom("q"));
  return get;
}

thrift2::TScan FilteredScan(const std::string& family) {
  return ToScan({.start_row = std::string(kAskedRow),
                 .behind = ColumnPlace{family, "q"},
                 .columns = {{family, "q"}},
                 .raw = true,
                 .keys_only = true,
                 .max_rows = 1});
}

/// It would not even be seen if it were done.
thrift2::TPut UnseenPut(const std::string& family) { return ToPut({std::string(kAskedRow), {ProbeCell(family)}}); }

class Questions {
 public:
  Questions(Connection& connection, const std::string& table, const std::string& family)
      : connection_(connection), table_(table), family_(family) {}

  Status Ask() {
    const auto can_read = [this] { return ProbeRow(connection_, table_, std::string(kAskedRow)).ok(); };
    const auto can_write = [this] { return ProbeWrite(connection_, table_, std::string(kAskedRow), family_).ok(); };
    Ask("reads of a row from a given column on", can_read, [this](Client& client) {
      std::vector<thrift2::TResult> unused;
      client.getMultiple(unused, table_, {FilteredGet()});
    });
    Ask("scans with filters", can_read, [this](Client& client) {
      std::vector<thrift2::TResult> unused;
      client.getScannerResults(unused, table_, FilteredScan(family_), 1);
    });
    Ask("conditional puts (checkAndPut)", can_write, [this](Client& client) {
      client.checkAndPut(table_, std::string(kAskedRow), family_, std::string(kProbeQualifier), "never put",
                         UnseenPut(family_));
    });
    AskForKinds();
    if (cannot_.empty()) return silent_;
    return Status(StatusCode::kConfiguration,
                  "the gateway does not support calls that fensi needs. Use the Thrift2 gateway of HBase 2.4 or newer. "
                  "What fails:" +
                      cannot_);
  }

 private:
  /// It is refused twice, and a known good call succeeds after each refusal.
  void Ask(const std::string& what, const std::function<bool()>& works, const std::function<void(Client&)>& call) {
    for (int attempt = 0; attempt < 2; ++attempt) {
      const Status status = connection_.Call("a trial of " + what + " in table " + table_, call);
      const Outcome fault = connection_.last();
      if (status.code() == StatusCode::kConfiguration) return Note(what, status);
      if (fault.suspect != Suspect::kUnclear && status.code() != StatusCode::kRejected) return NoteSilence(status);
      if (!works()) return NoteSilence(status);
      if (attempt == 1) Note(what, status);
    }
  }

  /// Where the table has a row already.
  void AskForKinds() {
    const thrift2::TScan scan = ToScan({.raw = true, .keys_only = true, .max_rows = 1});
    std::vector<thrift2::TResult> results;
    const Status status = connection_.Call("a trial of raw scans in table " + table_, [&](Client& client) {
      client.getScannerResults(results, table_, scan, scan.limit);
    });
    if (!status.ok()) return NoteSilence(status);
    for (const thrift2::TResult& result : results) {
      if (const Status kinds = RequireKinds(table_, result); !kinds.ok()) return Note("raw reads", kinds);
    }
  }

  void Note(const std::string& what, const Status& fault) { cannot_ += "\n  " + what + ": " + fault.message(); }

  void NoteSilence(const Status& status) {
    if (status.code() == StatusCode::kUnavailable && silent_.ok()) silent_ = status;
  }

  Connection& connection_;
  const std::string& table_;
  const std::string& family_;
  std::string cannot_;
  Status silent_;
};

}  // namespace

Status CheckServer(Connection& connection, const std::string& table, const std::string& family) {
  return Questions(connection, table, family).Ask();
}

Status RequireKinds(const std::string& table, const thrift2::TResult& result) {
  const auto& cells = result.columnValues;
  if (std::all_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.__isset.type; })) return Status();
  return Status(StatusCode::kConfiguration,
                "the gateway does not distinguish puts from delete markers in a raw read of table " + table +
                    ". Use the Thrift2 gateway of HBase 2.4 or newer");
}

}  // namespace fensi::store
