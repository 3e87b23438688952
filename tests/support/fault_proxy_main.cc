// The fault proxy for scripts: fault_proxy TARGET_PORT. Prints its port, then obeys lines of standard input and answers
// each with one line; ends with standard input.
//
//   cut|slice|throttle|delay requests|replies NUMBER    hold|release requests|replies    reset    heal
//   traffic       passed and held of requests, passed and held of replies
//   calls         the Thrift calls since the last question: "milliseconds:name …", on the clock of /proc/uptime
//   unanswered    the names of those whose answers did not pass
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>

#include "tests/support/fault_proxy.h"

namespace fensi::testing {
namespace {

int64_t NowMillis() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

/// Notes the name of each call: a client's piece that begins one begins with Thrift's version and the name's length.
class CallLog {
 public:
  void See(int connection, FaultProxy::Way way, std::string_view piece) {
    const std::lock_guard lock(mu_);
    if (way == FaultProxy::Way::kReplies || piece.empty()) {
      unanswered_.erase(connection);
    } else if (const std::string name = NameOf(piece); !name.empty()) {
      text_ += " " + std::to_string(NowMillis()) + ":" + name;
      unanswered_[connection] = name;
    }
  }
  std::string Take() {
    const std::lock_guard lock(mu_);
    return std::exchange(text_, "");
  }
  std::string Unanswered() {
    const std::lock_guard lock(mu_);
    std::string text;
    for (const auto& [connection, name] : unanswered_) text += " " + name;
    return text;
  }

 private:
  /// Empty for a piece in the middle of a call.
  static std::string NameOf(std::string_view piece) {
    constexpr std::string_view kCall("\x80\x01\x00\x01", 4);
    constexpr size_t kNameAt = 8;
    if (!piece.starts_with(kCall) || piece.size() < kNameAt) return "";
    return std::string(piece.substr(kNameAt, static_cast<unsigned char>(piece[kNameAt - 1])));
  }

  std::mutex mu_;
  std::string text_;                       // guarded by mu_, as the next
  std::map<int, std::string> unanswered_;  // by connection, of which each has one call at a time
};

std::string TrafficText(const FaultProxy& proxy) {
  std::string text;
  for (const auto way : {FaultProxy::Way::kRequests, FaultProxy::Way::kReplies}) {
    const FaultProxy::Traffic traffic = proxy.traffic(way);
    text += " " + std::to_string(traffic.passed) + " " + std::to_string(traffic.held);
  }
  return text;
}

bool SetFault(FaultProxy* proxy, const std::string& fault, FaultProxy::Way way, int64_t number) {
  if (fault == "cut") return proxy->CutAfter(way, number), true;
  if (fault == "slice") return proxy->Slice(way, static_cast<size_t>(number)), true;
  if (fault == "throttle") return proxy->Throttle(way, number), true;
  if (fault == "delay") return proxy->Delay(way, std::chrono::milliseconds(number)), true;
  if (fault == "hold") return proxy->Hold(way), true;
  if (fault == "release") return proxy->Release(way), true;
  return false;
}

std::string Obey(FaultProxy* proxy, CallLog* calls, const std::string& line) {
  std::istringstream words(line);
  std::string command, way;
  int64_t number = 0;
  words >> command >> way >> number;
  if (command == "traffic") return "ok" + TrafficText(*proxy);
  if (command == "calls") return "ok" + calls->Take();
  if (command == "unanswered") return "ok" + calls->Unanswered();
  if (command == "reset") return proxy->Reset(), "ok";
  if (command == "heal") return proxy->Heal(), "ok";
  if (way != "requests" && way != "replies") return "error: " + line;
  const auto to = way == "requests" ? FaultProxy::Way::kRequests : FaultProxy::Way::kReplies;
  return SetFault(proxy, command, to, number) ? "ok" : "error: " + line;
}

}  // namespace
}  // namespace fensi::testing

int main(int argc, char** argv) {
  using namespace fensi::testing;
  if (argc != 2) return 64;
  CallLog calls;
  FaultProxy proxy(std::atoi(argv[1]));
  proxy.SetObserver(
      [&calls](int connection, FaultProxy::Way way, std::string_view piece) { calls.See(connection, way, piece); });
  std::cout << proxy.port() << std::endl;
  for (std::string line; std::getline(std::cin, line);) std::cout << Obey(&proxy, &calls, line) << std::endl;
}
