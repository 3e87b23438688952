// An ordinary client of HBase's Thrift2 gateway: puts rows in batches, as an application would; consecutive lines of a
// row are one mutation.
//   thrift_loader thrift://HOST:PORT TABLE [LINES_PER_SECOND] < lines of row TAB family:qualifier TAB timestamp TAB
//   value
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "base/bytes.h"
#include "store/open_store.h"

namespace fensi::store {
namespace {

constexpr size_t kLinesPerCall = 1000;

/// Appends to the batch's last row if it is the line's, else begins a new one.
Status AddLine(const std::string& line, std::vector<RowMutation>* batch) {
  const size_t first = line.find('\t');
  const size_t second = line.find('\t', first + 1);
  const size_t third = line.find('\t', second + 1);
  if (third == std::string::npos) return Status(StatusCode::kInvalidArgument, "a line has four fields: " + line);
  if (batch->empty() || batch->back().row.compare(0, std::string::npos, line, 0, first) != 0) {
    batch->emplace_back().row = line.substr(0, first);
  }
  const std::string text = line.substr(first + 1, second - first - 1);
  const ColumnName column = SplitColumn(text);
  batch->back().cells.push_back({.family = std::string(column.family),
                                 .qualifier = std::string(column.qualifier),
                                 .timestamp = std::atoll(line.substr(second + 1, third - second - 1).c_str()),
                                 .value = line.substr(third + 1)});
  return {};
}

/// HBase may be away for a while: tests kill it.
Status PutPatiently(Store* store, const std::string& table, const std::vector<RowMutation>& rows) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  for (;;) {
    const Status status = store->Put(table, rows).status();
    if (status.code() != StatusCode::kUnavailable || std::chrono::steady_clock::now() > deadline) return status;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

Status Load(Store* store, const std::string& table, double per_second) {
  const auto begin = std::chrono::steady_clock::now();
  const size_t batch_lines =
      per_second > 0 ? std::min<size_t>(kLinesPerCall, static_cast<size_t>(per_second / 20) + 1) : kLinesPerCall;
  std::vector<RowMutation> batch;
  size_t sent = 0;
  size_t lines = 0;
  std::string line;
  bool more = true;
  while (more) {
    more = static_cast<bool>(std::getline(std::cin, line));
    if (more) {
      FENSI_RETURN_IF_ERROR(AddLine(line, &batch));
      ++lines;
    }
    if (batch.empty() || (more && lines < batch_lines)) continue;
    FENSI_RETURN_IF_ERROR(PutPatiently(store, table, batch));
    sent += lines;
    lines = 0;
    batch.clear();
    if (per_second > 0)
      std::this_thread::sleep_until(begin + std::chrono::duration<double>(static_cast<double>(sent) / per_second));
  }
  std::fprintf(stderr, "%zu cells put\n", sent);
  return {};
}

}  // namespace
}  // namespace fensi::store

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: thrift_loader thrift://HOST:PORT TABLE [LINES_PER_SECOND]\n");
    return 64;
  }
  std::ios::sync_with_stdio(false);
  auto store = fensi::store::OpenStore(argv[1], {.connections = 2});
  if (!store.ok()) return 70;
  const fensi::Status end = fensi::store::Load(store->get(), argv[2], argc > 3 ? std::atof(argv[3]) : 0);
  if (!end.ok()) std::fprintf(stderr, "thrift_loader: %s\n", end.ToString().c_str());
  return fensi::ExitCode(end.code());
}
