#include "hbase/calls/reads.h"

#include <algorithm>
#include <utility>

#include "hbase/calls/batch.h"

namespace fensi::hbase {
namespace {

class ReadActions final : public BatchActions {
 public:
  explicit ReadActions(std::span<const GetSpec> gets) : gets_(gets) { got_.rows.resize(gets.size()); }

  size_t size() const override { return gets_.size(); }
  std::string_view RowOf(size_t item) const override { return gets_[item].row; }
  size_t BytesOf(size_t item) const override {
    constexpr size_t kOfColumn = 24;
    return gets_[item].row.size() + kOfColumn * (1 + gets_[item].columns.size());
  }
  std::string Build(const CallHead& head, std::span<const RegionActions> regions) const override {
    return BuildGets(head, regions, gets_);
  }
  void Take(size_t item, RegionAnswer::OfItem* answer, const FrameBytes& frame) override {
    RowCells& row = got_.rows[item];
    row.cells = std::move(answer->cells);
    row.frame = row.cells.empty() ? FrameBytes() : frame;
  }
  Status Refuse(const Refusal& refusal) override {
    got_.too_big.push_back(refusal.index);
    return {};
  }
  bool MayBlameOne(const RemoteError& error) const override { return IsTooMuchAtOnce(error); }
  bool Change() const override { return false; }
  std::string Doing() const override {
    return "get of " + std::to_string(gets_.size()) + (gets_.size() == 1 ? " row" : " rows");
  }

  GotRows got() {
    std::sort(got_.too_big.begin(), got_.too_big.end());
    return std::move(got_);
  }

 private:
  const std::span<const GetSpec> gets_;
  GotRows got_;
};

/// Nobody knows how many cells it brings.
bool IsWide(const GetSpec& get) {
  const auto whole = [](const ColumnName& column) { return !column.qualifier; };
  return get.raw || get.max_versions > 1 || get.columns.empty() ||
         std::any_of(get.columns.begin(), get.columns.end(), whole);
}

}  // namespace

Result<GotRows> ReadBatch(const CallContext& context, const std::string& table, std::span<const GetSpec> gets) {
  ReadActions actions(gets);
  constexpr size_t kWideRows = 100, kNarrowRows = 1'000;  // of one call
  const bool wide = std::any_of(gets.begin(), gets.end(), IsWide);
  FENSI_RETURN_IF_ERROR(Batch(context, table, &actions, {.actions = wide ? kWideRows : kNarrowRows}).Run());
  return actions.got();
}

}  // namespace fensi::hbase
