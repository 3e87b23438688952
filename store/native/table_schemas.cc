#include "store/native/table_schemas.h"

#include <map>
#include <utility>

#include "base/text.h"
#include "store/check.h"

namespace fensi::store {
namespace {

using Attributes = std::map<std::string, std::string>;

const char* BoolText(bool value) { return value ? "true" : "false"; }

/// Keeps `number` if there is none, or if it is no number.
template <typename Number>
void ReadNumber(const Attributes& attributes, const std::string& name, Number* number) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) return;
  if (const auto read = ParseWhole<int32_t>(found->second)) {
    const int32_t whole = *read;  // not an optional, which may become another one
    *number = whole;
  }
}

void ReadText(const Attributes& attributes, const std::string& name, std::string* text) {
  const auto found = attributes.find(name);
  if (found != attributes.end()) *text = found->second;
}

void ReadBool(const Attributes& attributes, const std::string& name, bool* value) {
  std::string text = BoolText(*value);
  ReadText(attributes, name, &text);
  *value = text == "true" || text == "TRUE";
}

hbase::FamilySchema ToFamilySchema(const FamilyDescriptor& family) {
  hbase::FamilySchema out{.name = family.name, .attributes = {}, .configuration = family.configuration};
  out.attributes["VERSIONS"] = std::to_string(family.max_versions);
  if (family.min_versions) out.attributes["MIN_VERSIONS"] = std::to_string(*family.min_versions);
  if (family.ttl_seconds) out.attributes["TTL"] = std::to_string(*family.ttl_seconds);
  out.attributes["BLOOMFILTER"] = family.bloom_filter;
  out.attributes["COMPRESSION"] = family.compression;
  out.attributes["IN_MEMORY"] = BoolText(family.in_memory);
  out.attributes["BLOCKCACHE"] = BoolText(family.block_cache);
  if (family.block_size) out.attributes["BLOCKSIZE"] = std::to_string(*family.block_size);
  out.attributes["REPLICATION_SCOPE"] = std::to_string(family.replication_scope);
  return out;
}

FamilyDescriptor FromFamilySchema(const hbase::FamilySchema& family) {
  FamilyDescriptor out{.name = family.name};
  ReadNumber(family.attributes, "VERSIONS", &out.max_versions);
  ReadNumber(family.attributes, "MIN_VERSIONS", &out.min_versions);
  ReadNumber(family.attributes, "TTL", &out.ttl_seconds);
  ReadText(family.attributes, "BLOOMFILTER", &out.bloom_filter);
  ReadText(family.attributes, "COMPRESSION", &out.compression);
  ReadBool(family.attributes, "IN_MEMORY", &out.in_memory);
  ReadBool(family.attributes, "BLOCKCACHE", &out.block_cache);
  ReadNumber(family.attributes, "BLOCKSIZE", &out.block_size);
  ReadNumber(family.attributes, "REPLICATION_SCOPE", &out.replication_scope);
  out.configuration = family.configuration;
  return out;
}

}  // namespace

hbase::TableSchemaSpec ToSchema(const TableDescriptor& table) {
  hbase::TableSchemaSpec out{.name = table.name, .families = {}, .attributes = {}};
  for (const FamilyDescriptor& family : table.families) out.families.push_back(ToFamilySchema(family));
  return out;
}

TableDescriptor FromSchema(const hbase::TableSchemaSpec& schema) {
  TableDescriptor out{.name = schema.name, .families = {}, .coprocessors = {}};
  for (const hbase::FamilySchema& family : schema.families) out.families.push_back(FromFamilySchema(family));
  for (const auto& [attribute, value] : schema.attributes) {
    if (std::string found = CoprocessorIn(attribute, value); !found.empty())
      out.coprocessors.push_back(std::move(found));
  }
  return Normalized(std::move(out));
}

}  // namespace fensi::store
