// The client of hbase/ in forty lines: makes a table, writes a row, reads and scans it, and drops the table.
//   hbase_example ZOOKEEPER_HOST PORT ZNODE
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "hbase/cluster.h"

namespace hbase = fensi::hbase;

int main(int argc, char** argv) {
  if (argc != 4) return 64;
  const auto check = [](const fensi::Status& status) {
    if (!status.ok()) std::fprintf(stderr, "%s\n", status.ToString().c_str());
    if (!status.ok()) std::exit(fensi::ExitCode(status.code()));
  };
  auto cluster = hbase::Cluster::Open({.registry = {.servers = {{argv[1], std::atoi(argv[2])}}, .znode = argv[3]}});
  check(cluster.status());
  const std::string table = "hbase_example";
  const hbase::FamilySchema family{.name = "f", .attributes = {{"VERSIONS", "3"}}, .configuration = {}};
  check((*cluster)->admin({}).Create({.name = table, .families = {family}, .attributes = {}}, {"m"}));

  const std::vector<fensi::Cell> cells = {{"f", "q", 1, fensi::CellType::kPut, "value", {}}};
  const hbase::Mutation put{.row = "row", .cells = cells};
  const auto refused = (*cluster)->Write(table, std::span(&put, 1), {});
  check(refused.status());
  for (const hbase::Refusal& one : *refused) std::printf("refused: %s\n", hbase::ErrorText(one.error).c_str());

  const hbase::GetSpec get{.row = "row", .columns = {{"f", "q"}}};
  const auto rows = (*cluster)->Get(table, std::span(&get, 1), {});
  check(rows.status());
  std::printf("got %s\n", std::string((*rows)[0].cells[0].value).c_str());

  const auto page = (*cluster)->Scan(table, {.start = "a"}, {});
  check(page.status());
  for (const hbase::ScannedRow& row : page->rows)
    std::printf("%s: %zu cells\n", std::string(row.row).c_str(), row.count);
  for (const fensi::ReadPoint& at : page->read_points) std::printf("%s at %lu\n", at.region.c_str(), at.number);
  check((*cluster)->admin({}).Drop(table));
}
