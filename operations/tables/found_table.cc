#include "operations/tables/found_table.h"

#include "base/bytes.h"
#include "base/text.h"
#include "operations/access/stores.h"
#include "operations/json/json_line.h"
#include "operations/shell/shell_lines.h"
#include "operations/tables/table_plan.h"

namespace fensi::operations {
namespace {

using nlohmann::ordered_json;
using store::FamilyDescriptor;

ordered_json JsonOfFamily(const FamilyDescriptor& family) {
  ordered_json json = {{"family", Escape(family.name)},
                       {"versions", family.max_versions},
                       {"ttl_s", nullptr},
                       {"bloom", family.bloom_filter},
                       {"compression", family.compression},
                       {"in_memory", family.in_memory},
                       {"block_cache", family.block_cache},
                       {"replication_scope", family.replication_scope},
                       {"configuration", family.configuration}};
  if (family.ttl_seconds) json["ttl_s"] = *family.ttl_seconds;
  if (family.min_versions) json["min_versions"] = *family.min_versions;
  if (family.block_size) json["block_size"] = *family.block_size;
  return json;
}

std::vector<std::string> SplitsOf(const FoundTable& found) {
  return {found.region_starts.begin() + 1, found.region_starts.end()};
}

}  // namespace

Result<FoundTable> LookUpTable(const StoreOptions& options, store::Store* store, const std::string& name) {
  FENSI_ASSIGN_OR_RETURN(store::TableDescriptor table, RequireTable(options, store, name));
  FENSI_ASSIGN_OR_RETURN(std::vector<std::string> starts, RegionStartsOf(store, name, SystemClock()));
  return FoundTable{std::move(table), std::move(starts)};
}

std::string TextOf(const FoundTable& found) {
  std::string text =
      "table " + found.table.name + ": " + Counted(static_cast<int64_t>(found.region_starts.size()), "region") + "\n";
  for (const FamilyDescriptor& family : found.table.families) text += FamilyText(family);
  for (const std::string& name : found.table.coprocessors) text += "  coprocessor " + Escape(name) + "\n";
  for (const std::string& key : SplitsOf(found)) text += "  a region begins with " + Escape(key) + "\n";
  return text;
}

std::string JsonOf(const FoundTable& found) {
  ordered_json families = ordered_json::array(), regions = ordered_json::array();
  for (const FamilyDescriptor& family : found.table.families) families.push_back(JsonOfFamily(family));
  for (const std::string& start : found.region_starts) regions.push_back(Escape(start));
  return JsonLine({{"table", found.table.name},
                   {"families", families},
                   {"region_starts", regions},
                   {"coprocessors", found.table.coprocessors}});
}

std::string ShellLinesOf(const FoundTable& found) { return ShellCreate(found.table, SplitsOf(found)); }

}  // namespace fensi::operations
