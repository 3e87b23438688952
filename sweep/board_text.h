// What stands in the columns of a board, as text. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sweep/job.h"

namespace fensi::sweep {

std::string TextOf(const Job& job);
std::string TextOf(const JobPace& pace);
std::string TextOf(const RowRange& range);
std::string TextOf(const Place& place);

/// Absent: it is none.
std::optional<Job> JobOf(const std::string& text);
std::optional<JobPace> PaceOf(const std::string& text);
std::optional<RowRange> RangeOf(const std::string& text);
std::optional<Place> PlaceOf(const std::string& text);
std::optional<int64_t> WholeNumberOf(const std::string& text);

/// A row key as one word, also an empty one and one with blanks; and back.
std::string KeyWord(const std::string& key);
std::optional<std::string> KeyOf(const std::string& word);

}  // namespace fensi::sweep
