#include "daemon/admin/process.h"

#include <dirent.h>
#include <google/protobuf/stubs/common.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "consumer/kafka/client/client_config.h"
#include "daemon/admin/build_facts.h"
#include "operations/json/json_line.h"

namespace fensi::daemon {
namespace {

/// Fields of /proc/self/stat from the third on, after the name, which may have blanks.
std::vector<std::string> StatFields() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  std::istringstream rest(line.substr(line.rfind(')') + 1));
  std::vector<std::string> fields;
  for (std::string field; rest >> field;) fields.push_back(field);
  return fields;
}

double SecondsOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// `.`, `..` and the descriptor of the look itself do not count.
int64_t OpenFiles() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc/self/fd"), closedir);
  if (folder == nullptr) return -1;
  int64_t entries = 0;
  while (readdir(folder.get()) != nullptr) ++entries;
  return entries - 3;
}

}  // namespace

double ProcessStartSeconds() {
  constexpr size_t kStartTime = 19;  // field 22 of the file
  const std::vector<std::string> fields = StatFields();
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  if (fields.size() <= kStartTime || ticks <= 0) return 0;
  return SecondsOf(CLOCK_REALTIME) - SecondsOf(CLOCK_BOOTTIME) + std::stod(fields[kStartTime]) / ticks;
}

void CollectProcess(metrics::Snapshot* snapshot) {
  constexpr size_t kResidentPages = 21;  // field 24 of the file
  static const double kStart = ProcessStartSeconds();
  snapshot->Set("fensi_build_info", {FENSI_VERSION, BuildRevision(), consumer::ClientVersion()}, int64_t{1});
  snapshot->Set("process_cpu_seconds_total", {}, SecondsOf(CLOCK_PROCESS_CPUTIME_ID));
  if (kStart > 0) snapshot->Set("process_start_time_seconds", {}, kStart);
  const std::vector<std::string> fields = StatFields();
  if (fields.size() > kResidentPages) {
    const double pages = std::stod(fields[kResidentPages]);
    snapshot->Set("process_resident_memory_bytes", {}, pages * static_cast<double>(sysconf(_SC_PAGESIZE)));
  }
  if (const int64_t open = OpenFiles(); open >= 0) snapshot->Set("process_open_fds", {}, open);
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    snapshot->Set("process_max_fds", {}, static_cast<int64_t>(limit.rlim_cur));
  }
}

std::string VersionJson() {
  nlohmann::ordered_json json;
  json["version"] = FENSI_VERSION;
  json["revision"] = BuildRevision();
  json["librdkafka"] = consumer::ClientVersion();
  json["librdkafka_features"] = consumer::ClientFeatures();
  json["thrift"] = BuildThrift();
  json["protobuf"] = google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION);
  return operations::JsonLine(json);
}

}  // namespace fensi::daemon
