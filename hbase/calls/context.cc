#include "hbase/calls/context.h"

#include <thread>

#include "base/hbase_limits.h"
#include "hbase/calls/scan_page.h"
#include "hbase/errors.h"
#include "hbase/requests.h"

namespace fensi::hbase {

Status CheckEnabled(const CallContext& context, const std::string& table) {
  static constexpr std::string_view kEnabled("\x08\x00", 2);  // HBase's TableState, a message of one enumeration
  ScanSpec scan{.start = table, .stop = RowAfter(table), .columns = {{"table", "state"}}, .max_rows = 1};
  CallContext once = context;
  once.retry_for = std::chrono::milliseconds(0);
  once.scope = context.locator->ForLookup(context.scope);
  const Result<ScanPage> page = ReadPage(once, kMetaTable, scan);
  if (!page.ok()) return {};  // what is known of it says nothing against it
  if (page->cells.empty()) return NoSuchTable(table);
  if (page->cells.front().value == kEnabled) return {};
  return TableNotEnabled(table);
}

Status PauseUntil(const CallScope& scope, Deadline until) {
  constexpr std::chrono::milliseconds kSlice(100);
  while (true) {
    FENSI_RETURN_IF_ERROR(scope.Granted());
    const auto left = until - std::chrono::steady_clock::now();
    if (left.count() <= 0) return {};
    std::this_thread::sleep_for(std::min<std::chrono::steady_clock::duration>(left, kSlice));
  }
}

}  // namespace fensi::hbase
