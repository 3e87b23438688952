#include "daemon/log/log_window.h"

#include <algorithm>
#include <iterator>

namespace fensi::daemon {
namespace {

constexpr LogWindow::Time kSecond{1'000};

LogLine Summed(LogLine last, int64_t count) {
  last.repeated = count;
  return last;
}

/// The latest state is written last.
void SortByTime(std::vector<LogLine>* lines) {
  std::stable_sort(lines->begin(), lines->end(), [](const LogLine& a, const LogLine& b) { return a.time < b.time; });
}

}  // namespace

bool LogWindow::Take(const LogLine& line, Time now) {
  const std::string& index = line.fields.index;
  if (window_.count() == 0) return true;
  if (line.event.rule().again == Again::kPaced) {
    Note(index, now);
    return true;
  }
  const Key key(line.event.rule().name, index, line.fields.table);
  const auto found = held_.find(key);
  if (found != held_.end()) {
    found->second.last = line;
    ++found->second.count;
    return false;
  }
  if (IsFull(index, now)) {
    held_.emplace(key, Held{now + kSecond, line, 1});
    return false;
  }
  held_.emplace(key, Held{now + window_, line});
  Note(index, now);
  return true;
}

std::vector<LogLine> LogWindow::Due(Time now) {
  std::vector<LogLine> due;
  for (auto held = held_.begin(); held != held_.end();) {
    const auto next = std::next(held);
    const std::string& index = std::get<1>(held->first);
    auto& [end, last, count] = held->second;
    if (end <= now && count == 0) {
      held_.erase(held);
    } else if (end <= now && !IsFull(index, now)) {
      due.push_back(Summed(last, count));
      Note(index, now);
      end = now + window_;
      count = 0;
    }
    held = next;
  }
  SortByTime(&due);
  return due;
}

std::vector<LogLine> LogWindow::Rest() {
  std::vector<LogLine> rest;
  for (const auto& [key, held] : held_) {
    if (held.count > 0) rest.push_back(Summed(held.last, held.count));
  }
  held_.clear();
  SortByTime(&rest);
  return rest;
}

bool LogWindow::IsFull(const std::string& index, Time now) {
  std::deque<Time>& written = written_[index];
  while (!written.empty() && written.front() + kSecond <= now) written.pop_front();
  return written.size() >= kMostASecond;
}

void LogWindow::Note(const std::string& index, Time now) {
  std::deque<Time>& written = written_[index];
  written.push_back(now);
  if (written.size() > kMostASecond) written.pop_front();
}

}  // namespace fensi::daemon
