// The result of a reload, for the log and for the requester, and parsed back. Pure.
#pragma once

#include <string>
#include <vector>

#include "admin/status_source.h"
#include "base/redactable_text.h"
#include "base/status.h"

namespace fensi::daemon {

struct ReloadVerdict {
  std::vector<RedactableText> refused;  // why nothing was changed; empty: taken
  std::vector<std::string> done;        // "index fensi: begins"
  std::vector<std::string> waits;       // changes that need a restart
};

/// 200, or 422 for a refused reload, with {"taken":…,"refused":[…],"done":[…],"needs_restart":[…]}: full texts, because
/// the requester may read the files.
admin::Verdict AnswerOf(const ReloadVerdict& verdict);

/// kConfiguration: it is no such answer.
Result<ReloadVerdict> VerdictIn(const std::string& body);

/// One sentence per line, the most important first.
std::vector<std::string> LinesOf(const ReloadVerdict& verdict);

}  // namespace fensi::daemon
