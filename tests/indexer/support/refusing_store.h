// A store that refuses rows with a certain column for good, as HBase's own checks and coprocessors do: the row as it
// was handed in, with all its cells. The store behind must outlive it.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/wrapped_store.h"

namespace fensi::testing {

class RefusingStore final : public store::ForwardingStore {
 public:
  using Rejected = Result<std::vector<store::RejectedRow>>;

  explicit RefusingStore(store::Store* behind) : ForwardingStore(behind), wish_(std::make_shared<Wish>()) {}

  /// From now on puts with this column are refused, and no others.
  void Refuse(std::string family, std::string qualifier) {
    *wish_ = {std::move(family), std::move(qualifier), /*deletes=*/false};
  }
  /// Its deletes are refused instead.
  void RefuseDeletes() { wish_->deletes = true; }

  Rejected Put(const std::string& table, std::span<const store::RowMutation> rows) override {
    return Sift(rows, !wish_->deletes, [&](auto taken) { return behind()->Put(table, taken); });
  }
  Rejected Delete(const std::string& table, std::span<const store::RowMutation> rows) override {
    return Sift(rows, wish_->deletes, [&](auto taken) { return behind()->Delete(table, taken); });
  }

 private:
  struct Wish {
    std::string family, qualifier;
    bool deletes = false;
  };

  RefusingStore(std::shared_ptr<store::Store> behind, std::shared_ptr<Wish> wish)
      : ForwardingStore(std::move(behind)), wish_(std::move(wish)) {}
  std::unique_ptr<store::Store> Over(std::unique_ptr<store::Store> view) override {
    return std::unique_ptr<store::Store>(new RefusingStore(std::move(view), wish_));
  }
  bool IsRefused(const store::RowMutation& row) const {
    return std::any_of(row.cells.begin(), row.cells.end(), [&](const Cell& cell) {
      return !wish_->qualifier.empty() && cell.family == wish_->family && cell.qualifier == wish_->qualifier;
    });
  }
  template <typename Call>
  Rejected Sift(std::span<const store::RowMutation> rows, bool refuses, Call call) {
    std::vector<store::RowMutation> taken;
    std::vector<size_t> indexes;
    std::vector<store::RejectedRow> rejected;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (refuses && IsRefused(rows[i])) {
        rejected.push_back(
            {i, Status(StatusCode::kRejected, "column " + wish_->family + ":" + wish_->qualifier + ": refused")});
      } else {
        taken.push_back(rows[i]);
        indexes.push_back(i);
      }
    }
    Rejected answer = call(std::span<const store::RowMutation>(taken));
    FENSI_RETURN_IF_ERROR(answer.status());
    for (store::RejectedRow& row : *answer) rejected.push_back({indexes[row.index], std::move(row.reason)});
    return rejected;
  }

  const std::shared_ptr<Wish> wish_;  // of all views
};

}  // namespace fensi::testing
