#include "cli/run/index_expiry.h"

#include <exception>
#include <vector>

#include "cli/log/log.h"
#include "mapping/instant.h"
#include "sweep/judge.h"

namespace fensi::cli {
namespace {

constexpr std::chrono::seconds kNotReadyPause{1};

}  // namespace

void IndexExpiry::Start() {
  thread_ = std::thread([this] { Work(); });
}

void IndexExpiry::Join() {
  if (thread_.joinable()) thread_.join();
}

void IndexExpiry::Work() {
  const auto rest = [this](std::chrono::milliseconds pause) {
    return sweep::WaitUntil(parts_.clock->SinceBoot() + pause, parts_.clock, [this] { return GoOn(); }).ok();
  };
  while (!parts_.ready()) {
    if (!rest(kNotReadyPause)) return;
  }
  do {
    DropAll();
  } while (rest(kPause));
}

void IndexExpiry::DropAll() {
  Status done;
  try {
    done = DropEach();
  } catch (const std::exception& error) {  // lack of memory: the index must not end by it
    done = Status(StatusCode::kInternal, std::string("internal error: ") + error.what());
  }
  if (!done.ok() && GoOn().ok()) Failed("tables of periods that are over", done);
}

Status IndexExpiry::GoOn() const {
  return parts_.stopped() ? Status(StatusCode::kCancelled, "asked to stop") : Status();
}

Status IndexExpiry::DropEach() {
  const std::string& index = parts_.index->name();
  ExpiredTables tables(parts_.index, parts_.store.get(), {}, parts_.clock);
  FENSI_RETURN_IF_ERROR(tables.RequireOwn());
  const Result<std::vector<ExpiredTable>> expired = tables.Find();
  FENSI_RETURN_IF_ERROR(expired.status());
  for (const ExpiredTable& table : *expired) {
    FENSI_RETURN_IF_ERROR(GoOn());
    const std::string about = "index " + index + ": table " + table.name;
    if (!table.obstacle.empty()) {
      if (!told_.insert(table.name).second) continue;
      Log("period_left", about + " has the name of a period that is over, and is left alone: " + table.obstacle,
          {.index = index, .table = table.name});
      continue;
    }
    const Status dropped = tables.Drop(table);
    if (!dropped.ok() && GoOn().ok()) Failed("table " + table.name, dropped);
    if (!dropped.ok()) continue;
    Log("period_dropped",
        about + " is dropped: its period ended with " + mapping::InstantText(table.last_millis).value_or("its time") +
            ", and 'keep' is " + KeepText(*parts_.index),
        {.index = index, .table = table.name});
  }
  return tables.ForgetOthers(*expired);
}

void IndexExpiry::Failed(const std::string& what, const Status& why) const {
  const std::string& index = parts_.index->name();
  Log("period_drop_failed",
      "index " + index + ": " + what + " cannot be dropped now; the next attempt is in an hour: " + why.words(),
      {.index = index, .code = std::string(StatusCodeName(why.code()))});
}

}  // namespace fensi::cli
