// What the last `fensi verify` of an index came to, in the row of the index in the meta table: for people, and for
// other commands to show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/comparison.h"
#include "sweep/finding.h"
#include "sweep/scrub.h"

namespace fensi::cli {

struct Verified {
  sweep::ScrubSum sum;
  int64_t younger = 0;
  std::string what;  // was compared
};

/// Of a comparison that ends now.
Verified ResultOf(const sweep::Counts& counts, const sweep::CompareOptions& options, int64_t began);

std::string VerifiedText(const Verified& verified);
/// Absent: it is none.
std::optional<Verified> VerifiedOf(const std::string& text);
/// For people, of what stands in the meta table; empty: nothing does.
std::string ShownVerified(const std::string& text);

/// What is compared with these options, as one line.
std::string ComparedText(const sweep::CompareOptions& options);

/// Says on standard error, before anything is compared, if rows from before the index's stream may be missing in it:
/// then differences tell of a fill that has not been made. Silent where the meta table does not tell. Blocks.
void TellOfPhase(const mapping::Index& index, const std::string& incarnation, store::Store* store);

/// Notes what a comparison that came to its end found, and says on standard error when that could not be done: the
/// result is no other for it. An index that nobody has begun (`incarnation` is empty) has no place for it. Blocks.
void NoteVerified(const mapping::Index& index, const std::string& incarnation, store::Store* store,
                  const Verified& verified);

}  // namespace fensi::cli
