// Switches an alias to another index, back to the former one, or removes it. M22: only to an index that is live, is no
// mismatch, follows its source, and was verified.
//
// Blocks on the store; one thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/exit_codes.h"
#include "mapping/environment.h"
#include "mapping/index.h"
#include "mapping/mapping.h"
#include "meta/alias_record.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "store/store.h"

namespace fensi::operations {

struct SwitchOptions {
  std::string meta_table = mapping::kDefaultMetaTable;
  std::string to;                  // name of an index; empty: `back`
  bool back = false;               // to the index before
  std::string report;              // of `fensi verify`, which shows that the index is right; empty: none
  bool skip_verification = false;  // mark and report are waived
  bool execute = false;
};

/// What is known of an index, for people and for the checks.
struct KnownIndex {
  std::string index;
  std::optional<meta::IndexState> state;  // absent: not registered
};

class Switching {
 public:
  Switching(std::string alias, std::shared_ptr<store::Store> store, SwitchOptions options)
      : alias_(std::move(alias)),
        store_(std::move(store)),
        options_(std::move(options)),
        record_(meta::VersionedMetaRow(store_.get(), options_.meta_table, meta::AliasRow(alias_))) {}

  /// Works also if the alias's row cannot be parsed.
  Result<int> Remove();

  Result<int> Run(const std::vector<mapping::Mapping>& mappings);

 private:
  Status FindTarget(const std::vector<mapping::Mapping>& mappings);

  Result<KnownIndex> KnownOf(const std::string& index) const;

  Status LookAtBoth();

  void PrintPlan() const;

  /// M22. kConfiguration with everything that is missing.
  Status Judge() const;

  bool IsBeingDropped() const { return new_.state && new_.state->phase == meta::Phase::kRetired; }

  Status CheckIsLive() const;

  /// The tables, this mapping and the meta table are of one index.
  Status CheckIsTheSame() const;

  /// Works also if no daemon has checked the table since it was recreated.
  Status CheckTable() const;

  Status CheckMark() const;

  /// A given report counts, waived or not.
  Status CheckProof() const;

  /// A drop retires the index before it looks for aliases; so of a drop and a switch at the same moment, one sees the
  /// other.
  Status RereadSource() const;

  const std::string alias_;
  const std::shared_ptr<store::Store> store_;
  const SwitchOptions options_;
  const meta::AliasRecord record_;
  std::optional<meta::Alias> known_;
  std::shared_ptr<const mapping::Index> index_;
  meta::IndexName to_;
  KnownIndex new_;
  std::optional<KnownIndex> old_;
};

}  // namespace fensi::operations
