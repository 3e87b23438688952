// The result of the last `fensi verify` of an index, stored in its row of the meta table for people and other commands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/compare/comparison.h"
#include "sweep/compare/finding.h"
#include "sweep/scrub/scrub.h"

namespace fensi::operations {

struct Verified {
  sweep::ScrubSum sum;
  int64_t younger = 0;
  std::string what;  // scope of the comparison
};

/// The result of a comparison that ends now.
Verified ResultOf(const sweep::Counts& counts, const sweep::CompareOptions& options, int64_t began);

std::string VerifiedText(const Verified& verified);
/// Absent: the text is none.
std::optional<Verified> VerifiedOf(const std::string& text);
/// For people, from the content of the meta table; empty: none.
std::string ShownVerified(const std::string& text);

/// The scope of a comparison with these options, as one line.
std::string ComparedText(const sweep::CompareOptions& options);

/// Warns on standard error, before anything is compared, if rows from before the index's stream may be missing in it:
/// then differences show a missing backfill. Silent if the meta table does not tell. Blocks.
void TellOfPhase(const mapping::Index& index, const std::string& incarnation, store::Store* store,
                 const std::string& meta_table);

/// Records the result of a complete comparison, unless one that began later has ended; a failure is only reported on
/// standard error, because it does not change the result. An index that has not begun (`incarnation` is empty) has no
/// place for it. Blocks.
void NoteVerified(const mapping::Index& index, const std::string& incarnation, store::Store* store,
                  const std::string& meta_table, const Verified& verified);

}  // namespace fensi::operations
