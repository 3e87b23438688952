// Parses one flag of a command line or of a line of a flag file: "--max_rows=5", "--json", "--nojson". Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/flags/flags.h"

namespace fensi::cli {

struct FlagWord {
  std::string name;   // dashes inside of it count as underscores
  std::string typed;  // as written, with dashes, without its value
  std::optional<std::string> value;
};

/// `word` begins with a dash and has more characters.
FlagWord SplitFlagWord(const std::string& word);

/// True for "-n", not for "--n".
bool IsShort(const FlagWord& word);

/// The meaning of a word among known flags.
struct MeantFlag {
  const FlagRule* rule = nullptr;    // null: unknown
  std::optional<std::string> value;  // absent: a value is missing
};
using FindFlag = std::function<const FlagRule*(const std::string&)>;
MeantFlag MeantBy(const FlagWord& word, const FindFlag& find);

/// All flags of all commands that help shows.
std::vector<std::string> ShownFlagNames();

}  // namespace fensi::cli
