// The Index that a definition becomes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mapping/definition/definition.h"
#include "mapping/index.h"

namespace fensi::mapping {

class CompiledIndex final : public Index {
 public:
  explicit CompiledIndex(IndexDefinition definition);

  const std::string& name() const override { return definition_.name; }
  const std::string& source_table() const override { return definition_.source_table; }
  const std::string& topic() const override { return definition_.topic; }
  const std::string& table() const override { return definition_.table; }
  bool table_is_template() const override { return definition_.table_template.has_value(); }
  std::optional<int64_t> keep_millis() const override {
    if (!definition_.keep_seconds) return std::nullopt;
    return int64_t{*definition_.keep_seconds} * 1000;
  }
  const std::string& state_table() const override { return definition_.state_table; }
  const std::string& group() const override { return definition_.group; }
  const std::string& dead_letter_topic() const override { return definition_.dead_letter_topic; }

  IndexClass index_class() const override { return class_; }
  StateUnit state_unit() const override { return unit_; }
  bool shared() const override { return definition_.shared; }
  bool expires_exactly() const override { return definition_.expire_exactly; }

  std::span<const Watch> watches() const override { return watches_; }
  bool Watches(std::string_view family, std::string_view qualifier) const override;
  bool WatchesFamily(std::string_view family) const override;

  std::vector<std::string> conditions() const override;

  void Derive(const RowView& row, EntryList* entries, std::vector<Unmappable>* problems) const override;

  std::vector<std::string> Explain(const RowView& row) const override;

  const CreateSpec& create() const override { return definition_.create; }
  const std::string& fingerprint() const override { return fingerprint_; }
  const std::string& definition() const override { return text_; }

  Result<KeyPrefix> EncodeKey(std::span<const std::string> parts) const override;
  Result<std::shared_ptr<const Lookup>> Plan(LookupRequest request) const override;
  std::vector<KnownPart> Decode(const Entry& cell) const override;
  std::vector<std::string> key_parts() const override;
  std::vector<std::string> key_layout() const override;

 private:
  struct Work;  // of one thread

  static Work& ThreadWork();
  void BindCells(const RowView& row, Work* work) const;
  void DeriveBound(Work* work, std::vector<Unmappable>* problems) const;
  void DeriveList(Work* work, std::vector<Unmappable>* problems) const;
  /// Trimmed, sorted, each once.
  static void CollectItems(const Part& part, const Value& list, Work* work);
  void ExplainList(Work* work, std::vector<std::string>* lines) const;
  void ExplainEntry(Work* work, std::vector<std::string>* lines) const;
  void DeriveEntry(Work* work, std::vector<Unmappable>* problems) const;
  bool ConditionsHold(Work* work, std::vector<Unmappable>* problems) const;
  /// Fills the table of an entry, and of a period table its time. False: there is none.
  bool DeriveTable(Work* work, std::vector<Unmappable>* problems, Entry* entry) const;
  bool DeriveColumns(const Entry& place, Work* work, std::vector<Unmappable>* problems) const;
  bool Run(const Template& program, std::string_view what, Work* work, std::vector<Unmappable>* problems,
           std::string_view* out, Outcome* outcome) const;
  void Emit(Work* work, EntryList* entries) const;

  const IndexDefinition definition_;
  const IndexClass class_;
  const StateUnit unit_;
  const std::string text_;
  const std::string fingerprint_;
  std::vector<Watch> watches_;
  bool cells_may_repeat_ = true;  // can one unit give the same cell twice?
  /// `expire: exact`: for each column the TTL of its family and the slots whose cells it came from.
  struct Expiry {
    int64_t ttl_ms = 0;
    std::vector<size_t> slots;
  };
  std::vector<Expiry> expiries_;
  /// When the cell goes: by the TTL of its family (that of the index's column, where `create:` does not name it) or its
  /// own.
  int64_t EndOf(const VisibleCell& cell, const Expiry& expiry) const;
  int64_t ExpiryOf(size_t column, const Work& work) const;
};

}  // namespace fensi::mapping
