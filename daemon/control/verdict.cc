#include "daemon/control/verdict.h"

#include "admin/client.h"
#include "operations/json/bounded_json.h"
#include "operations/json/json_line.h"

namespace fensi::daemon {
namespace {

using nlohmann::ordered_json;

/// False: it is no list of texts.
bool Take(const ordered_json& json, const char* name, std::vector<std::string>* texts) {
  if (!json.contains(name) || !json[name].is_array()) return false;
  for (const ordered_json& each : json[name]) {
    if (!each.is_string()) return false;
    texts->push_back(each.get<std::string>());
  }
  return true;
}

}  // namespace

admin::Verdict AnswerOf(const ReloadVerdict& verdict) {
  ordered_json refused = ordered_json::array();
  for (const RedactableText& words : verdict.refused) refused.push_back(words.all());
  const bool taken = verdict.refused.empty();
  return {taken ? 200 : 422, operations::JsonLine({{"taken", taken},
                                                   {"refused", refused},
                                                   {"done", ordered_json(verdict.done)},
                                                   {"needs_restart", ordered_json(verdict.waits)}})};
}

Result<ReloadVerdict> VerdictIn(const std::string& body) {
  // Three lists of texts, each about a file or an index.
  constexpr size_t kMostTexts = 100'000;
  const std::optional<ordered_json> json =
      operations::ParseBounded(body, {.values = kMostTexts, .depth = 4, .keys = 16});
  ReloadVerdict verdict;
  std::vector<std::string> refused;
  const bool good = json && json->is_object() && Take(*json, "refused", &refused) &&
                    Take(*json, "done", &verdict.done) && Take(*json, "needs_restart", &verdict.waits);
  if (!good) return admin::NotADaemon();
  for (std::string& each : refused) verdict.refused.emplace_back(std::move(each));
  return verdict;
}

std::vector<std::string> LinesOf(const ReloadVerdict& verdict) {
  std::vector<std::string> lines;
  for (const RedactableText& words : verdict.refused) lines.push_back("refused: " + words.all());
  for (const std::string& each : verdict.done) lines.push_back(each);
  for (const std::string& each : verdict.waits) lines.push_back("needs a restart: " + each);
  return lines;
}

}  // namespace fensi::daemon
