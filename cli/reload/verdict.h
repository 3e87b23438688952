// What became of a reload, for the log, for who asked, and back again. Pure.
#pragma once

#include <string>
#include <vector>

#include "admin/control.h"
#include "base/status.h"
#include "base/words.h"

namespace fensi::cli {

struct ReloadVerdict {
  std::vector<Words> refused;      // why nothing was changed; empty: it was taken
  std::vector<std::string> done;   // "index fensi: begins"
  std::vector<std::string> waits;  // what counts after a restart only
};

/// 200, or 422 for one that was refused, with {"taken":…,"refused":[…],"done":[…],"needs_restart":[…]}: all words, as
/// who asks is one who may read the files.
admin::Verdict AnswerOf(const ReloadVerdict& verdict);

/// kConfiguration: that is no such answer.
Result<ReloadVerdict> VerdictIn(const std::string& body);

/// Each line a sentence, in the order in which a person wants to know.
std::vector<std::string> LinesOf(const ReloadVerdict& verdict);

}  // namespace fensi::cli
