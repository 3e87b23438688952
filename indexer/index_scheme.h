// How an index says in its row by which scheme it is kept. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/cell.h"
#include "base/status.h"
#include "indexer/state/layout.h"
#include "mapping/index.h"

namespace fensi::indexer {

inline constexpr std::string_view kMirrorScheme = "mirror 1";
inline constexpr std::string_view kStateScheme = "state 1";   // also of an index that does not say it
inline constexpr std::string_view kBucketScheme = "state 2";  // states of source rows lie in buckets
/// Its move to a mirror has begun (indexer/index_move.h): behind this the scheme that it has, kMovedBy, a random name.
inline constexpr std::string_view kMovingFrom = "to mirror 1 from ";
inline constexpr std::string_view kMovedBy = " by ";

struct KnownScheme {
  mapping::Scheme scheme = mapping::Scheme::kState;
  bool moving = false;
  bool buckets = false;
};

/// Nothing: this version does not know it.
std::optional<KnownScheme> ParseScheme(std::string_view text);

/// What stands in column `scheme`, or what its absence says.
std::string SchemeText(const std::optional<Cell>& scheme);

/// kConfiguration: the index has a scheme that this version does not know.
Status UnknownScheme(const mapping::Index& index, const std::string& scheme);

/// By column `buckets`, which is not asked where there are none.
Result<StateLayout> LayoutOf(const mapping::Index& index, const KnownScheme& scheme,
                             const std::optional<Cell>& buckets);

/// " mirror" or nothing: what stands behind the fingerprint, so that programs refuse which know no schemes.
std::string DefinitionText(const mapping::Index& index, std::string_view scheme);

/// The command that moves it.
std::string MigrateLine(const mapping::Index& index);

}  // namespace fensi::indexer
