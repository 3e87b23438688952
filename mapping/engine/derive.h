// Derives index cells from one unit of a source row. Runs for every event: no allocation once its buffers have grown.
#pragma once

#include <string_view>
#include <vector>

#include "mapping/definition/definition.h"
#include "mapping/engine/expiry.h"
#include "mapping/engine/work.h"
#include "mapping/source_row.h"

namespace fensi::mapping {

/// Immutable; any thread, each with memory of its own.
class Deriver {
 public:
  /// Borrows the definition.
  explicit Deriver(const IndexDefinition& definition);

  /// See Index::Derive.
  void Derive(const RowView& row, EntryList* entries, std::vector<Unmappable>* problems) const;
  /// See Index::DeriveIndexCells.
  void DeriveIndexCells(const RowView& row, EntryList* places) const;

 private:
  void DerivePlacesOf(Work* work) const;
  void DeriveBound(Work* work, std::vector<Unmappable>* problems) const;
  void DeriveList(Work* work, std::vector<Unmappable>* problems) const;
  void DeriveEntry(Work* work, std::vector<Unmappable>* problems) const;
  bool ConditionsHold(Work* work, std::vector<Unmappable>* problems) const;
  /// Sets the table of an entry, and of a period table its time. False: there is none.
  bool DeriveTable(Work* work, std::vector<Unmappable>* problems, Entry* entry) const;
  bool DeriveColumns(const Entry& place, Work* work, std::vector<Unmappable>* problems) const;
  bool Run(const Template& program, std::string_view what, Work* work, std::vector<Unmappable>* problems,
           std::string_view* out, Outcome* outcome) const;
  void Emit(Work* work, EntryList* entries) const;

  const IndexDefinition& definition_;
  const Expiry expiry_;
  const bool cells_may_repeat_;  // true if one unit can give the same cell twice
};

}  // namespace fensi::mapping
