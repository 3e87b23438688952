// What a person does about an index that cannot go on: one text for each condition, whoever finds it.
//
// No I/O; any thread.
#pragma once

#include <string>

#include "mapping/index.h"

namespace fensi::indexer {

/// How the index is built again. The end of a sentence, or with `build` = "Build" a sentence of its own.
std::string RebuildRemedy(const mapping::Index& index, const char* build = "build");

/// Of a changed definition: with it 'fensi drop' refuses the tables of the former one.
std::string ChangedDefinitionRemedy(const mapping::Index& index);

/// How entries that are wrong or missing are made right from the source.
std::string RepairRemedy(const mapping::Index& index);

/// Of an index table that was emptied beside its states: what is applied again changes nothing.
std::string EmptiedRemedy(const mapping::Index& index);

/// Of an index table that was made again: what happened and what to do. Sentences of their own.
std::string MadeAgainText(const mapping::Index& index);

/// Of a stream that no longer has what the index comes to next.
std::string GapRemedy(const mapping::Index& index);

/// Of a table or topic that was there when the index began.
std::string MissingRemedy(const mapping::Index& index);

}  // namespace fensi::indexer
