#include "daemon/supervisor.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "daemon/log/log.h"
#include "operations/console/console.h"
#include "operations/jobs/signals.h"

namespace fensi::daemon {
namespace {

std::shared_ptr<operations::LetterReader> ReaderOfLetters(const SourceOptions& source, const mapping::Index& index) {
  const std::string file = DeadLetterSinks(source).FileOf();
  if (!file.empty()) return std::make_shared<operations::FileLetters>(file);
  return std::make_shared<operations::TopicLetters>(source.kafka.cluster, index.dead_letter_topic(),
                                                    source.kafka.connect_timeout);
}

}  // namespace

Supervisor::Supervisor(const Parts& parts)
    : runs_(parts.runs),
      source_(parts.start.source),
      place_(parts.place),
      shown_(parts.shown),
      control_(parts.control),
      service_(parts.service),
      certificate_(parts.certificate),
      letters_(parts.letters),
      sinks_(parts.start.source),
      watch_(parts.runs, parts.start, SystemClock()),
      progress_(parts.runs, operations::MayDraw(), SystemClock()) {}

int Supervisor::Run() {
  runs_.Start();
  while (!runs_.CloseIfAllEnded()) Turn();
  control_.End();
  LetGo();
  CheckPlace();
  ReportEnded();
  operations::ClearProgress();
  for (const auto& run : runs_.all()) run->Join();
  return WorstExit();
}

void Supervisor::Turn() {
  const int signal = operations::AwaitSignal(std::chrono::milliseconds(50));
  if (signal == SIGHUP) reload_asked_ = true;
  if (signal != 0 && signal != SIGHUP) StopAll();
  if (reload_asked_ && control_.Try({.kind = admin::Wish::Kind::kReload}, [](const auto&) {})) reload_asked_ = false;
  CheckPlace();
  ReportEnded();
  LetGo();
  watch_.Tick();
  CountLetters();
  progress_.Tick();
  TickLog();
  shown_.NoteTurn();
  shown_.Remember();
  certificate_.Tick();
  service_.Tick();
}

void Supervisor::CountLetters() {
  if (const auto uncounted = letters_.Tick([this] { return LettersToCount(); })) Write(*uncounted);
}

std::map<std::string, OpenLetterWatch::Wanted> Supervisor::LettersToCount() const {
  std::map<std::string, OpenLetterWatch::Wanted> wanted;
  for (const auto& run : runs_.all()) {
    wanted[run->name()] = {[source = source_, run] { return ReaderOfLetters(source, run->index()); },
                           run->counts().dead_letters};
  }
  return wanted;
}

void Supervisor::CheckPlace() {
  if (place_ == nullptr || place_lost_) return;
  const Status status = place_->Check();
  if (status.ok()) return;
  place_lost_ = true;
  worst_ = std::max(worst_, ExitCode(status.code()));
  Log("store_directory_replaced", status.words(), {.code = std::string(StatusCodeName(status.code()))});
  runs_.StopAll();
}

void Supervisor::StopAll() {
  if (stopping_) {
    operations::ClearProgress();
    FlushLog();
    Log("stop_forced", "a second signal stopped the process at once. The next run applies the events in flight again");
    _exit(ExitCode(StatusCode::kCancelled));
  }
  stopping_ = true;
  shown_.NoteStop();
  service_.NoteStop();
  Log("stopping", "stopping: finishing the events in flight");
  runs_.StopAll();
}

void Supervisor::ReportEnded() {
  for (const auto& run : runs_.all()) ReportOnce(*run);
}

void Supervisor::ReportOnce(const IndexRun& run) {
  if (run.ended() && told_.insert(&run).second) ReportEnd(run);
}

void Supervisor::LetGo() {
  for (auto& run : runs_.TakeLeft()) {
    ReportOnce(*run);
    told_.erase(run.get());
    run->Join();
    left_.push_back(std::move(run));
  }
  std::erase_if(left_, [](const auto& run) { return run.use_count() == 1; });
}

void Supervisor::ReportEnd(const IndexRun& run) {
  watch_.NoteEnd(run);
  std::string summary = progress_.EndOf(run);
  if (run.counts().dead_letters > 0) summary += " in " + sinks_.PlaceText(run.index());
  if (!source_.is_kafka() && IsOfOtherTables(run.counts())) {
    summary += "; no event is of table " + run.index().source_table() +
               ", so nothing was indexed: compare 'source:' of the mapping file with the \"table\" of the events";
  }
  if (run.status().ok()) summary += WhatFilesLeave(source_);
  Log("index_ended", summary, {.index = run.name()});
  const Status status = run.status();
  if (status.ok() || IsOfPlace(status)) return;
  LogFields about{.index = run.name(), .code = std::string(StatusCodeName(status.code()))};
  if (const auto place = run.failed_at()) {
    about.topic = place->topic;
    about.partition = place->partition;
    about.offset = place->offset;
  }
  Log("index_stopped", "index " + run.name() + " stopped: " + status.words(), about);
}

bool Supervisor::IsOfPlace(const Status& status) const {
  return place_lost_ && status.code() == StatusCode::kCancelled;
}

int Supervisor::WorstExit() const {
  int worst = worst_;
  for (const auto& run : runs_.all()) {
    // With files a person must learn that some events were refused; a daemon's dead letters wait in their topic.
    if (source_.ends() && run->counts().dead_letters > 0) worst = std::max(worst, kExitDifference);
    if (source_.ends() && run->mismatch_since()) worst = std::max(worst, kExitDifference);
    const Status status = run->status();
    if (!status.ok() && !IsOfPlace(status)) worst = std::max(worst, ExitCode(status.code()));
  }
  return NothingWasTaken() ? std::max(worst, kExitDifference) : worst;
}

bool Supervisor::NothingWasTaken() const {
  const auto runs = runs_.all();
  if (!source_.ends() || source_.is_kafka() || runs.empty()) return false;
  return std::all_of(runs.begin(), runs.end(), [](const auto& run) { return IsOfOtherTables(run->counts()); });
}

}  // namespace fensi::daemon
