// The remedy for each condition in which an index cannot continue: one text, whichever code finds the condition.
//
// No I/O; any thread.
#pragma once

#include <string>

#include "mapping/index.h"

namespace fensi::indexer {

/// How to rebuild the index: the end of a sentence, or with `build` = "Build" a sentence of its own.
std::string RebuildRemedy(const mapping::Index& index, const char* build = "build");

/// For a changed definition, with which 'fensi drop' refuses the tables of the former one.
std::string ChangedDefinitionRemedy(const mapping::Index& index);

/// How to fix wrong or missing entries from the source.
std::string RepairRemedy(const mapping::Index& index);

/// For an index table that was emptied while its states stayed: events that are applied again change nothing.
std::string EmptiedRemedy(const mapping::Index& index);

/// For an index table that was recreated: what happened and what to do, in sentences.
std::string MadeAgainText(const mapping::Index& index);

/// For a stream that no longer has the next offset of the index.
std::string GapRemedy(const mapping::Index& index);

/// For a table or topic that existed when the index began.
std::string MissingRemedy(const mapping::Index& index);

}  // namespace fensi::indexer
