// Cells of a source table in an embedded store, at the times of the events that tell of them: `fensi run` writes index
// and state tables only.
//   source_rows embedded:DIR < EVENTS
#include <cstdio>
#include <iostream>
#include <set>
#include <string>

#include "consumer/codec/json_decoder.h"
#include "store/open_store.h"

namespace fensi::store {
namespace {

/// As HBase applies a mutation: a marker hides what has its time or an older one, whichever of them comes first.
Status Apply(const ChangeEvent& event, Store* store) {
  RowMutation puts{event.row, {}}, deletes{event.row, {}};
  for (const Cell& cell : event.cells) (cell.type == CellType::kPut ? puts : deletes).cells.push_back(cell);
  if (!puts.cells.empty()) FENSI_RETURN_IF_ERROR(store->Put(event.table, {&puts, 1}).status());
  if (!deletes.cells.empty()) FENSI_RETURN_IF_ERROR(store->Delete(event.table, {&deletes, 1}).status());
  return {};
}

Status MakeTable(const std::string& name, Store* store) {
  const Status made = store->CreateTable({name, {{.name = "f"}, {.name = "g"}}}, {});
  return made.code() == StatusCode::kAlreadyExists ? Status() : made;
}

Status ApplyAll(const std::string& url) {
  const auto store = OpenStore(url, {});
  FENSI_RETURN_IF_ERROR(store.status());
  std::set<std::string> made;
  consumer::JsonDecoder decoder;
  for (std::string line; std::getline(std::cin, line);) {
    ChangeEvent event;
    FENSI_RETURN_IF_ERROR(decoder.Decode(line, &event).WithContext(line));
    if (made.insert(event.table).second) FENSI_RETURN_IF_ERROR(MakeTable(event.table, store->get()));
    FENSI_RETURN_IF_ERROR(Apply(event, store->get()));
  }
  return {};
}

}  // namespace
}  // namespace fensi::store

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: source_rows embedded:DIR < EVENTS\n");
    return 64;
  }
  const fensi::Status end = fensi::store::ApplyAll(argv[1]);
  if (!end.ok()) std::fprintf(stderr, "source_rows: %s\n", end.ToString().c_str());
  return fensi::ExitCode(end.code());
}
