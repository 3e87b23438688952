// Builds pieces of requests that several calls share. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "hbase/requests.h"
#include "proto/hbase_client.pb.h"

namespace fensi::hbase {

constexpr char kTtlAttributeName[] = "_ttl";
constexpr char kRawAttributeName[] = "_raw_";

/// Sets the region by its name.
void SetRegion(const std::string& name, proto::hbase::RegionSpecifier* region);

/// Leaves out the cells, which follow in the cell block.
void FillMutation(const Mutation& mutation, proto::hbase::MutationProto* out);

/// The number of versions to request: all for a raw read, because HBase ends a column after the last wanted put and so
/// hides the markers below it.
uint32_t AskedVersions(int32_t max_versions, bool raw);

template <typename Request>
void FillReading(const std::vector<ColumnName>& columns, int32_t max_versions, bool raw, Request* out) {
  out->set_max_versions(AskedVersions(max_versions, raw));
  if (raw) {
    proto::hbase::NameBytesPair* attribute = out->add_attribute();
    attribute->set_name(kRawAttributeName);
    attribute->set_value("\xff");
  }
  for (const ColumnName& column : columns) {
    proto::hbase::Column* found = nullptr;
    for (int i = 0; i < out->column_size(); ++i) {
      if (out->column(i).family() == column.family) found = out->mutable_column(i);
    }
    if (found == nullptr) {
      found = out->add_column();
      found->set_family(column.family);
    }
    if (column.qualifier) found->add_qualifier(*column.qualifier);
  }
}

}  // namespace fensi::hbase
