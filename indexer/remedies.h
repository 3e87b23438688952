// The remedy for each condition in which an index cannot continue: one text, whichever code finds the condition.
//
// No I/O; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/cell.h"
#include "base/status.h"
#include "mapping/index.h"

namespace fensi::indexer {

/// How to rebuild the index: the end of a sentence, or with `build` = "Build" a sentence of its own.
std::string RebuildRemedy(const mapping::Index& index, const char* build = "build");
/// Why a source row cannot be read again, and the remedy.
std::string BeganWithoutSource(const mapping::Index& index);

/// For a source table that is not there. `place`: URL of the store that was asked, if it is not the index's.
std::string MissingSourceText(const mapping::Index& index, const std::string& place);

/// For a bulk load, which an index that does not read its source cannot follow: what happened and what to do.
std::string UnfollowedLoadText(const mapping::Index& index, const ChangeEvent& load);

/// For a changed definition, with which 'fensi drop' refuses the tables of the former one.
std::string ChangedDefinitionRemedy(const mapping::Index& index);

/// How to fix wrong or missing entries from the source.
std::string RepairRemedy(const mapping::Index& index);

/// For work that got no memory.
inline constexpr char kOutOfMemoryText[] =
    "out of memory: raise the memory limit of the process. A 'fensi run' can also have a lower --memory_mb or "
    "--state_cache_mb, or fewer indexes";

/// For a watermark in the future of this machine's clock.
inline constexpr char kCompareClocks[] =
    "Compare the clocks of this machine, of 'fensi capture' and of the region servers, and correct the wrong clock "
    "(NTP)";

/// For a state table that refuses a write.
std::string CompareTableRemedy();

/// Column `key` of the index's record in its state table holds no number.
std::string ChangedCellText(const mapping::Index& index, const std::string& key, const std::string& text);
/// Column `key` of the index's record is missing, and other columns of the record are there.
std::string DeletedCellText(const mapping::Index& index, const std::string& key);

/// For an index table that was emptied while its states stayed: events that are applied again change nothing.
std::string EmptiedRemedy(const mapping::Index& index);

/// For an index table that was recreated: what happened and what to do, in sentences.
std::string MadeAgainText(const mapping::Index& index);

/// For a stream that no longer has the next offset of the index.
std::string GapRemedy(const mapping::Index& index);
/// The same where it is not known whether the gap is in the stream.
std::string GapRemedyOfAnyTopic(const mapping::Index& index);
/// The status with this remedy if it is kGap, else the status as it is.
Status WithGapRemedy(const Status& status, const mapping::Index& index);

/// The index was dropped and created again under its name: which incarnation this process asked, and which `place`
/// ("state table …") has now. Empty: none, so the index was dropped, or its record was deleted. A sentence without an
/// end.
std::string RecreatedText(const mapping::Index& index, const std::string& asked, const std::string& now,
                          const std::string& place);
/// For a command whose requests went to that incarnation: what they do now, and what to do. A sentence without an end.
std::string RequestsWithoutEffect(const std::string& now);

/// For `cell` ("index cell …"), whose put or delete marker is so new that fensi cannot put above it.
std::string TooNewText(const std::string& cell, int64_t time);

/// For the versions of `what` ("row"), which have reached the largest timestamp.
std::string NoVersionLeftText(const mapping::Index& index, const std::string& what, int64_t most);

/// For a table or topic that existed when the index began.
std::string MissingRemedy(const mapping::Index& index);

}  // namespace fensi::indexer
