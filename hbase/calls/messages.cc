#include "hbase/calls/messages.h"

#include <limits>

namespace fensi::hbase {
namespace {

constexpr int32_t kByName = 1, kPut = 2, kDelete = 3;

}  // namespace

void SetRegion(const std::string& name, proto::hbase::RegionSpecifier* region) {
  region->set_type(kByName);
  region->set_value(name);
}

void FillMutation(const Mutation& mutation, proto::hbase::MutationProto* out) {
  out->set_row(mutation.row.data(), mutation.row.size());
  out->set_mutate_type(mutation.is_delete ? kDelete : kPut);
  out->set_associated_cell_count(static_cast<int32_t>(mutation.cells.size()));
  if (mutation.is_delete || mutation.cells.empty()) return;
  const std::string* ttl = TtlOf(mutation.cells.front());
  if (ttl == nullptr) return;
  proto::hbase::NameBytesPair* attribute = out->add_attribute();
  attribute->set_name(kTtlAttributeName);
  attribute->set_value(*ttl);
}

uint32_t AskedVersions(int32_t max_versions, bool raw) {
  return static_cast<uint32_t>(raw ? std::numeric_limits<int32_t>::max() : max_versions);
}

}  // namespace fensi::hbase
