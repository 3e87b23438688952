// One flag as it is written in a command line and in a line of a flag file: "--max_rows=5", "--json", "--nojson". Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/flags/flags.h"

namespace fensi::cli {

struct FlagWord {
  std::string name;   // dashes inside of it count as underscores
  std::string typed;  // as it stands there, dashes and all, without its value
  std::optional<std::string> value;
};

/// `word` begins with a dash and has more than that.
FlagWord SplitFlagWord(const std::string& word);

/// "-n", and not "--n".
bool IsShort(const FlagWord& word);

/// What a word means among the flags that somebody knows.
struct MeantFlag {
  const FlagRule* rule = nullptr;    // null: none of them
  std::optional<std::string> value;  // nothing: a value is missing
};
using FindFlag = std::function<const FlagRule*(const std::string&)>;
MeantFlag MeantBy(const FlagWord& word, const FindFlag& find);

/// All flags of all commands that help shows.
std::vector<std::string> ShownFlagNames();

}  // namespace fensi::cli
