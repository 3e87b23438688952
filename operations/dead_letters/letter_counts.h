// Counts the dead letters of an index. Blocks on their topic or file; one thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "base/status.h"
#include "operations/dead_letters/ledger.h"
#include "operations/dead_letters/letter_reader.h"

namespace fensi::operations {

/// By reason, and by status.
using LettersByReason = std::map<std::string, std::array<int64_t, kLetterStateNames.size()>>;

/// Counts all dead letters of an index; one in parts counts once. Zero if there is no file of them. Blocks.
Result<LettersByReason> CountLetters(LetterReader* reader, const std::string& index);

}  // namespace fensi::operations
