#include "tests/indexer/model/hbase_server.h"

#include <chrono>
#include <utility>

#include "tests/indexer/support/world.h"

namespace fensi::testing {

Status PrefixedTables::CreateTable(const store::TableDescriptor& table, const std::vector<std::string>& split_keys) {
  store::TableDescriptor named = table;
  named.name = prefix_ + table.name;
  return behind()->CreateTable(named, split_keys);
}

Result<std::optional<store::TableDescriptor>> PrefixedTables::DescribeTable(const std::string& table) {
  Result<std::optional<store::TableDescriptor>> found = behind()->DescribeTable(prefix_ + table);
  if (found.ok() && *found) (*found)->name = table;
  return found;
}

Result<std::vector<std::string>> PrefixedTables::TableNames() {
  const Result<std::vector<std::string>> all = behind()->TableNames();
  if (!all.ok()) return all.status();
  std::vector<std::string> names;
  for (const std::string& name : *all) {
    if (name.starts_with(prefix_)) names.push_back(name.substr(prefix_.size()));
  }
  return names;
}

HBaseServer::~HBaseServer() {
  const Result<std::vector<std::string>> names = tables_.TableNames();
  if (!names.ok()) return;
  for (const std::string& name : *names) (void)tables_.DropTable(name);
}

void HBaseServer::PassTo(int64_t time) { clock_->Sleep(std::chrono::milliseconds(time - clock_->WallMillis())); }

void HBaseServer::SetKeepDeleted(const std::string& table, KeepDeleted keep) {
  const char* const words[] = {"FALSE", "TRUE", "TTL"};
  Must(admin_.Run("alter " + prefix_ + table + " f KEEP_DELETED_CELLS " + words[static_cast<int>(keep)]));
}

void HBaseServer::MajorCompact(const std::string& table, bool /*purge*/) {
  Must(admin_.Run("flush " + prefix_ + table));
  Must(admin_.Run("compact " + prefix_ + table));
}

}  // namespace fensi::testing
