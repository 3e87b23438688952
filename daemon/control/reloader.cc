#include "daemon/control/reloader.h"

#include <algorithm>
#include <array>
#include <exception>
#include <string_view>

#include "base/clock.h"
#include "base/text.h"
#include "daemon/admin/serving.h"
#include "daemon/indexes/index_metrics.h"
#include "daemon/indexes/memory.h"
#include "daemon/log/log.h"
#include "daemon/sources/start_check.h"
#include "operations/trial/case_run.h"

namespace fensi::daemon {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds kTimeToLook{20};
constexpr std::chrono::seconds kTimeForAll{30};
constexpr milliseconds kEndedEvery{20};
constexpr milliseconds kOfATopic{3'000};  // the end of the process waits for it
constexpr char kProcessEnds[] = "this 'fensi run' is stopping. Start it again: it then reads the new files";
constexpr size_t kMostLines = 20;  // in the log, of one kind
constexpr std::array<std::string_view, 6> kLiveFlags = {"log_format", "log_level",        "log_window_s",
                                                        "log_rows",   "admin_token_file", "metrics_partitions"};

bool IsLive(const ChangedFlag& setting) {
  return std::find(kLiveFlags.begin(), kLiveFlags.end(), setting.name) != kLiveFlags.end();
}

void LogAll(Event event, const std::string& what, const std::vector<RedactableText>& lines) {
  for (size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) Log(event, "reload: " + what + lines[i]);
  if (lines.size() <= kMostLines) return;
  Log(event, "reload: and " + Counted(static_cast<int64_t>(lines.size() - kMostLines), "line") + " more");
}

std::vector<RedactableText> AsWords(const std::vector<std::string>& texts) {
  std::vector<RedactableText> words;
  for (const std::string& text : texts) words.emplace_back(text);
  return words;
}

}  // namespace

/// One reload: looks at everything, then does it.
class Reloader::Attempt {
 public:
  Attempt(const Parts& parts, LiveOptions* live, admin::Server* server, const std::function<bool()>& ending)
      : parts_(parts), run_(parts.maker->options()), live_options_(live), server_(server), ending_(ending) {}

  ReloadVerdict Run() {
    const bool good = ReadFlags() && ReadMappings() && RunCases() && CompareAll() && LookAtServers();
    if (good && MakeRuns()) Do();
    if (!Fine()) verdict_.waits.clear();
    return std::move(verdict_);
  }

 private:
  bool Fine() const { return verdict_.refused.empty(); }
  void Refuse(const RedactableText& why) { verdict_.refused.push_back(why); }
  void Refuse(const std::string& why) { Refuse(RedactableText(why)); }

  /// kCancelled: there is no time left to look.
  Status MayLook() const {
    if (ending_()) return Status(StatusCode::kCancelled, kProcessEnds);
    if (SystemClock()->MonotonicNow() - begin_ < kTimeToLook) return Status();
    return Status(StatusCode::kCancelled,
                  "the files and tables were not checked within " + std::to_string(kTimeToLook.count()) +
                      " s. Check that HBase and Kafka answer ('fensi status'), then reload again");
  }

  bool ReadFlags() {
    if (run_.start.source.ends()) {
      Refuse(std::string(kRunHasEnd) +
             ", and does not reload. Let the run end, or stop it, and enter its command again: it then reads the new "
             "files");
    }
    if (!Fine()) return false;
    FlagsReadAgain settled = parts_.read_flags();
    for (const std::string& fault : settled.faults) Refuse(fault);
    for (ChangedFlag& setting : settled.changed) {
      if (!IsLive(setting)) {
        verdict_.waits.push_back("--" + setting.name + " (" + setting.shown + ")");
      } else {
        live_.push_back(std::move(setting));
      }
    }
    return Fine() && ReadToken();
  }

  /// Its file may have another content, too.
  bool ReadToken() {
    std::string path = live_options_->admin_token_file;
    for (const ChangedFlag& setting : live_) {
      if (setting.name == "admin_token_file") path = setting.value;
    }
    Result<std::string> token = operations::ReadAdminToken(path);
    if (!token.ok()) Refuse(token.status().words());
    if (token.ok()) token_ = std::move(*token);
    // --admin_control stays until then, and whoever reaches the server could change things.
    if (path.empty() && !live_options_->admin_token_file.empty() && parts_.control) {
      Refuse(
          "--admin_token_file is missing, and a daemon with --admin_control keeps its token until the next start. "
          "Restart the daemon, or put the flag back");
    }
    return Fine();
  }

  bool ReadMappings() {
    mappings_ = operations::LoadQuietly(parts_.paths, run_.start.store.meta_table, &verdict_.refused);
    if (!Fine()) return false;
    Result<operations::Indexes> chosen = operations::ChosenIndexes(mappings_, parts_.indexes);
    if (!chosen.ok()) Refuse(chosen.status().words());
    if (chosen.ok()) wanted_ = std::move(*chosen);
    if (Fine() && wanted_.empty())
      Refuse("the mapping files have no index: " + Joined(parts_.paths) + ". Put the indexes back, or stop the daemon");
    if (const Status source = CheckSource(run_.start.source, wanted_); !source.ok()) Refuse(source.words());
    return Fine();
  }

  bool RunCases() {
    for (const mapping::Mapping& mapping : mappings_) {
      for (const mapping::TestCase& test : mapping.tests) {
        if (const Status may = MayLook(); !may.ok()) {
          Refuse(may.words());
          return false;
        }
        RunOne(mapping, test);
      }
    }
    return Fine();
  }

  void RunOne(const mapping::Mapping& mapping, const mapping::TestCase& test) {
    const Result<std::string> faults = operations::RunCase(mapping, test);
    const std::string place = mapping.path + ":" + std::to_string(test.line);
    if (!faults.ok()) return Refuse(place + ": " + faults.status().words());
    if (faults->empty()) return;
    Refuse(place + ":1: a test of the mapping file failed: " + RedactableText::Quote(test.name) + ". 'fensi test " +
           mapping.path + "' shows the difference");
  }

  bool CompareAll() {
    // From then on indexes end that nothing is wrong with.
    if (const Status may = MayLook(); !may.ok()) Refuse(may.words());
    runs_ = parts_.runs->all();
    std::vector<RunningIndex> running;
    for (const auto& run : runs_) running.push_back({&run->index(), run->ended(), parts_.runs->IsLeaving(run.get())});
    found_ = CompareIndexes(running, wanted_);
    for (const RedactableText& why : found_.refused) Refuse(why);
    verdict_.waits.insert(verdict_.waits.end(), found_.waits.begin(), found_.waits.end());
    return Fine();
  }

  /// Whether what begins can, and a restart would find what stays.
  bool LookAtServers() {
    for (const auto& index : found_.stay) {
      const bool remade = std::find(found_.remade.begin(), found_.remade.end(), index->name()) != found_.remade.end();
      if (remade) RefuseUnless(*index, LookAtTables(*index));
    }
    std::erase_if(found_.begin, [this](const auto& index) { return !MayBegin(*index); });
    return Fine();
  }

  Status LookAtTables(const mapping::Index& index) {
    return parts_.maker->CheckTables(index, operations::PathOf(mappings_, index), [this] { return MayLook(); });
  }

  Status Look(const mapping::Index& index) {
    FENSI_RETURN_IF_ERROR(LookAtTables(index));
    FENSI_RETURN_IF_ERROR(MayLook());
    const milliseconds left = kTimeToLook - (SystemClock()->MonotonicNow() - begin_);
    const Status topics =
        RequireTopics(run_.start.source, index, std::clamp(left / 2, milliseconds(1), kOfATopic));  // there may be two
    return topics.code() == StatusCode::kNotFound ? WithRemedy(run_.start, topics, operations::PathOf(mappings_, index))
                                                  : topics;
  }

  void RefuseUnless(const mapping::Index& index, const Status& status) {
    if (!status.ok()) Refuse("index " + index.name() + ": " + status.words());
  }

  /// One that stopped by a fault that is still there is no reason against all others.
  bool MayBegin(const mapping::Index& index) {
    const Status status = Look(index);
    if (status.ok()) return true;
    if (Ended(index.name()) == nullptr) {
      RefuseUnless(index, status);
    } else {
      verdict_.waits.push_back("index " + index.name() +
                               " had stopped, and cannot begin yet. Remove the cause, then reload again or restart: " +
                               status.words().open());
    }
    return false;
  }

  std::shared_ptr<IndexRun> Named(const std::string& name) const {
    const auto found = std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->name() == name; });
    return found == runs_.end() ? nullptr : *found;
  }

  std::shared_ptr<IndexRun> Ended(const std::string& name) const {
    std::shared_ptr<IndexRun> run = Named(name);
    return run != nullptr && run->ended() ? run : nullptr;
  }

  bool MakeRuns() {
    if (found_.begin.empty()) return true;
    const Result<IndexMemory> memory = MemoryOfEach(run_.memory, wanted_.size());
    if (!memory.ok()) Refuse(memory.status().words());
    for (const auto& index : found_.begin) {
      if (!Fine()) return false;
      Result<std::unique_ptr<IndexRun>> run = parts_.maker->Make(index, operations::PathOf(mappings_, *index), *memory);
      RefuseUnless(*index, run.status());
      if (run.ok()) come_.push_back(std::move(*run));
    }
    if (run_.memory.all_mb > 0 && wanted_.size() > runs_.size()) {
      verdict_.waits.push_back(
          "--memory_mb: the former indexes keep their shares of memory, so all indexes together may use more than "
          "--memory_mb");
    }
    return Fine();
  }

  void Do() {
    IndexRuns go;
    for (const auto& run : runs_) {
      const bool gone = std::find(found_.end.begin(), found_.end.end(), run->name()) != found_.end.end();
      if (gone || Replaced(run->name())) go.push_back(run);
    }
    if (!parts_.runs->Change(come_, go)) return Refuse(kProcessEnds);
    runs_.clear();
    for (const auto& run : come_) verdict_.done.push_back("index " + run->name() + ": begins");
    come_.clear();
    TakeFlags();
    AwaitEnds(std::move(go));
    const size_t stay = found_.stay.size();
    verdict_.done.push_back(stay == 1 ? "1 index continues as before"
                                      : std::to_string(stay) + " indexes continue as before");
  }

  bool Replaced(const std::string& name) const {
    return std::any_of(come_.begin(), come_.end(), [&](const auto& run) { return run->name() == name; });
  }

  void TakeFlags() {
    for (const ChangedFlag& setting : live_) {
      verdict_.done.push_back("--" + setting.name + " (" + setting.shown + ") is taken");
    }
    *live_options_ = parts_.take_flags(live_);
    ChangeLog(live_options_->log);
    SetMostPartitions(live_options_->metrics_partitions);
    if (server_ != nullptr) server_->SetToken(token_);
  }

  /// Work that these indexes finish and commit meanwhile is their own: the others do not wait for it.
  void AwaitEnds(IndexRuns go) {
    const auto all_ended = [&] {
      return std::all_of(go.begin(), go.end(), [](const auto& run) { return run->ended(); });
    };
    while (!all_ended() && !ending_() && SystemClock()->MonotonicNow() - begin_ < kTimeForAll)
      SystemClock()->Sleep(kEndedEvery);
    for (const auto& run : go) {
      if (std::find(found_.end.begin(), found_.end.end(), run->name()) == found_.end.end()) continue;
      verdict_.done.push_back("index " + run->name() +
                              (run->ended() ? ": has ended; its tables stay" : ": is ending; its tables stay"));
    }
  }

  const Parts& parts_;
  const RunOptions& run_;
  LiveOptions* const live_options_;
  admin::Server* const server_;
  const std::function<bool()>& ending_;
  const milliseconds begin_ = SystemClock()->MonotonicNow();
  std::vector<ChangedFlag> live_;
  std::string token_;
  std::vector<mapping::Mapping> mappings_;
  operations::Indexes wanted_;
  IndexRuns runs_, come_;
  Comparison found_;
  ReloadVerdict verdict_;
};

admin::Verdict Reloader::Reload(const std::function<bool()>& ending) {
  ReloadVerdict verdict;
  try {
    verdict = Attempt(parts_, &live_, server_, ending).Run();
  } catch (const std::exception& fault) {
    verdict.refused = {RedactableText("the reload failed: " + InternalError(fault).message() +
                                      ". 'fensi status' shows which indexes run")};
  }
  const bool fine = verdict.refused.empty();
  if (!fine && ending()) return AnswerOf(verdict);  // no fault of the files
  parts_.shown->NoteReload(fine);
  Tell(verdict);
  return AnswerOf(verdict);
}

void Reloader::Tell(const ReloadVerdict& verdict) {
  LogAll("reload_refused", "refused, nothing was changed: ", verdict.refused);
  if (!verdict.refused.empty()) return;
  LogAll("reload_taken", "", AsWords(verdict.done));
  LogAll("reload_needs_restart", "needs a restart: ", AsWords(verdict.waits));
}

}  // namespace fensi::daemon
