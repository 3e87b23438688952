#include "hbase/requests.h"

#include "proto/hbase_client.pb.h"

namespace fensi::hbase {
namespace {

namespace pb = proto::hbase;

constexpr char kFilterPackage[] = "org.apache.hadoop.hbase.filter.";
constexpr int32_t kMustPassAll = 1, kMustPassOne = 2;

FilterSpec Named(const char* name, const google::protobuf::MessageLite& message) {
  return {kFilterPackage + std::string(name), message.SerializeAsString()};
}

FilterSpec Comparing(const char* name, Comparison comparison, std::string_view bytes) {
  pb::BinaryComparator comparator;
  comparator.mutable_comparable()->set_value(std::string(bytes));
  pb::ComparingFilter filter;
  pb::CompareFilter* compare = filter.mutable_compare_filter();
  compare->set_compare_op(static_cast<int32_t>(comparison));
  compare->mutable_comparator()->set_name(std::string(kFilterPackage) + "BinaryComparator");
  compare->mutable_comparator()->set_serialized_comparator(comparator.SerializeAsString());
  return Named(name, filter);
}

FilterSpec List(int32_t how, const std::vector<FilterSpec>& filters) {
  if (filters.size() == 1) return filters.front();
  pb::FilterList list;
  list.set_operator_(how);
  for (const FilterSpec& one : filters) {
    pb::Filter* filter = list.add_filters();
    filter->set_name(one.name);
    filter->set_serialized_filter(one.bytes);
  }
  return filters.empty() ? FilterSpec{} : Named("FilterList", list);
}

}  // namespace

FilterSpec FamilyFilter(Comparison comparison, std::string_view family) {
  return Comparing("FamilyFilter", comparison, family);
}

FilterSpec QualifierFilter(Comparison comparison, std::string_view qualifier) {
  return Comparing("QualifierFilter", comparison, qualifier);
}

FilterSpec ColumnsFrom(std::string_view qualifier) {
  pb::ColumnRangeFilter filter;
  filter.set_min_column(std::string(qualifier));
  filter.set_min_column_inclusive(true);
  filter.set_max_column_inclusive(false);
  return Named("ColumnRangeFilter", filter);
}

FilterSpec KeysOnly() {
  pb::KeyOnlyFilter filter;
  filter.set_len_as_val(false);
  return Named("KeyOnlyFilter", filter);
}

FilterSpec AllOf(const std::vector<FilterSpec>& filters) { return List(kMustPassAll, filters); }
FilterSpec AnyOf(const std::vector<FilterSpec>& filters) { return List(kMustPassOne, filters); }

}  // namespace fensi::hbase
