#include "daemon/indexes/index_expiry.h"

#include <exception>
#include <vector>

#include "daemon/log/log.h"
#include "mapping/instant.h"
#include "sweep/compare/judge.h"

namespace fensi::daemon {
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
    return sweep::WaitUntil(parts_.clock->MonotonicNow() + pause, parts_.clock, [this] { return GoOn(); }).ok();
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
    done = InternalError(error);
  }
  if (!done.ok() && GoOn().ok()) Failed("the tables of ended periods", done);
}

Status IndexExpiry::GoOn() const {
  return parts_.stopped() ? Status(StatusCode::kCancelled, "asked to stop") : Status();
}

Status IndexExpiry::DropEach() {
  const std::string& index = parts_.index->name();
  operations::ExpiredTables tables(parts_.index, parts_.store.get(), {}, parts_.options, parts_.clock);
  FENSI_RETURN_IF_ERROR(tables.RequireOwn());
  FENSI_ASSIGN_OR_RETURN(const std::vector<operations::ExpiredTable> expired, tables.Find());
  for (const operations::ExpiredTable& table : expired) {
    FENSI_RETURN_IF_ERROR(GoOn());
    const std::string about = "index " + index + ": table " + table.name;
    if (!table.obstacle.empty()) {
      if (!told_.insert(table.name).second) continue;
      Log("period_left",
          about + " has the name of an ended period, and --drop_expired keeps the table: " + table.obstacle,
          {.index = index, .table = table.name});
      continue;
    }
    const Status dropped = tables.Drop(table);
    if (!dropped.ok() && GoOn().ok()) Failed("table " + table.name, dropped);
    // M26: a failure for one table must not keep the others.
    if (!dropped.ok()) continue;
    Log("period_dropped",
        about + " is dropped: its period ended with " + mapping::FormatInstant(table.last_millis).value_or("its time") +
            ", and 'retention' is " + operations::KeepText(*parts_.index),
        {.index = index, .table = table.name});
  }
  return tables.ForgetOthers(expired);
}

void IndexExpiry::Failed(const std::string& what, const Status& why) const {
  const std::string& index = parts_.index->name();
  Log("period_drop_failed",
      "index " + index + ": --drop_expired cannot drop " + what + ", and tries again in an hour: " + why.words(),
      {.index = index, .code = std::string(StatusCodeName(why.code()))});
}

}  // namespace fensi::daemon
