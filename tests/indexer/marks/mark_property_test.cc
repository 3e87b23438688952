// Random lives of a source cluster: servers log changes and markers, send them in batches of several calls, fail, are
// sent again, die, and are taken over; captures tell marks late, twice, or never. Whatever a mark makes known, every
// change that was logged up to that time stands before it (M20).
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "indexer/marks/mark_rule.h"
#include "tests/indexer/support/properties.h"

namespace fensi::indexer {
namespace {

using consumer::Mark;

constexpr int64_t kClockSkew = 10;
// A reading of the members takes no longer, and no queue moves twice meanwhile.
constexpr int64_t kLongestReading = 250;

struct Logged {
  bool marker = false;
  int64_t time = 0;  // by the server's own clock
  int id = 0;        // of a change
};

/// The log of one server, and who sends it.
struct Queue {
  std::string server;
  std::string owner;  // who sends it: the server itself, or who took it over
  int64_t clock_off = 0;
  bool alive = true;   // the server
  bool listed = true;  // its znode stands below rs
  bool gone = false;   // taken over and sent to its end
  std::vector<Logged> log;
  int64_t moved = 0;  // when it was taken over last
  size_t acknowledged = 0;
  size_t batch_end = 0;                   // of the batch that is under way
  std::deque<std::vector<Logged>> calls;  // of that batch, not acknowledged
};

/// What a capture reads of ZooKeeper, one znode after the other, twice until both are equal.
struct MembersRead {
  int64_t began = 0;
  bool has_live = false;
  std::optional<std::deque<std::string>> owners;  // whose queues are still to be listed
  std::set<std::string> seen;
  std::optional<std::set<std::string>> before;
  int64_t before_began = 0;
};

struct Message {
  std::optional<Mark> mark;
  int change = 0;
};

class Cluster {
 public:
  explicit Cluster(uint32_t seed) : random_(seed) {
    for (int i = 0; i < 2; ++i) Join();
    captures_.resize(2);
  }

  void Live(int steps) {
    for (int i = 0; i < steps; ++i) Step();
  }

  /// What an owner finds wrong that begins at `from`.
  std::string Check(size_t from, int* told) const {
    MarkRule rule(kClockSkew);
    for (size_t at = from; at < stream_.size(); ++at) {
      if (!stream_[at].mark) continue;
      rule.Meet(*stream_[at].mark);
      const std::optional<int64_t> complete = rule.complete_to();
      if (!complete) continue;
      ++*told;
      const std::string missing = Missing(*complete, at);
      if (!missing.empty()) return missing;
    }
    return "";
  }
  size_t length() const { return stream_.size(); }
  uint32_t Random(uint32_t below) { return random_() % below; }

 private:
  struct Capture {
    std::vector<Mark::Call> calls;
    std::optional<std::pair<std::set<std::string>, int64_t>> members;
    std::optional<MembersRead> read;
    std::deque<Mark> late;
  };

  std::string Missing(int64_t complete, size_t at) const {
    for (const Queue& queue : queues_) {
      for (const Logged& logged : queue.log) {
        if (logged.marker || logged.time > complete) continue;
        const auto written = first_written_.find(logged.id);
        if (written != first_written_.end() && written->second < at) continue;
        return "a change of " + queue.server + " at " + std::to_string(logged.time) + " is not there, and " +
               std::to_string(complete) + " was told";
      }
    }
    return "";
  }

  void Step() {
    now_ += Random(3);
    switch (Random(12)) {
      case 0:
      case 1:
        return Log(false);
      case 2:
      case 3:
        return Log(true);
      case 4:
      case 5:
      case 6:
        return Send();
      case 7:
      case 8:
        return Look();
      case 9:
        return Tell();
      case 10:
        return TellLate();
      default:
        return Change();
    }
  }

  void Join() {
    Queue queue;
    queue.server = queue.owner = "s" + std::to_string(queues_.size());
    queue.clock_off = -static_cast<int64_t>(Random(kClockSkew + 1));
    queues_.push_back(queue);
  }

  Queue* Some(bool alive) {
    std::vector<Queue*> found;
    for (Queue& queue : queues_) {
      if (queue.alive == alive && !queue.gone) found.push_back(&queue);
    }
    return found.empty() ? nullptr : found[Random(static_cast<uint32_t>(found.size()))];
  }

  void Log(bool marker) {
    Queue* queue = Some(true);
    if (queue == nullptr) return;
    queue->log.push_back({marker, now_ + queue->clock_off, marker ? 0 : ++changes_});
  }

  void Send() {
    Queue* queue = Some(Random(3) != 0);
    if (queue == nullptr || OwnerIsDead(*queue)) return;
    if (queue->calls.empty() && queue->batch_end == 0) return Cut(queue);
    if (Random(4) == 0) return Deliver(queue->server, queue->calls[Random(static_cast<uint32_t>(queue->calls.size()))]);
    Deliver(queue->server, queue->calls.front());
    queue->calls.pop_front();
    if (!queue->calls.empty()) return;
    queue->acknowledged = std::exchange(queue->batch_end, 0);
    if (!queue->alive && queue->acknowledged == queue->log.size()) queue->gone = true;
  }

  /// All markers are of one region, and so in one call; changes may be in others.
  void Cut(Queue* queue) {
    const size_t left = queue->log.size() - queue->acknowledged;
    if (left == 0) {
      queue->gone = queue->gone || !queue->alive;
      return;
    }
    queue->batch_end = queue->acknowledged + 1 + Random(static_cast<uint32_t>(left));
    std::vector<std::vector<Logged>> calls(1 + Random(3));
    for (size_t at = queue->acknowledged; at < queue->batch_end; ++at) {
      const Logged& logged = queue->log[at];
      calls[logged.marker ? 0 : static_cast<size_t>(logged.id) % calls.size()].push_back(logged);
    }
    std::shuffle(calls.begin(), calls.end(), random_);
    std::erase_if(calls, [](const auto& call) { return call.empty(); });
    queue->calls.assign(calls.begin(), calls.end());
    for (const auto& call : queue->calls) sent_.emplace_back(queue->server, call);
  }

  void Deliver(const std::string& server, const std::vector<Logged>& call) {
    std::optional<Mark::Call> seen;
    for (const Logged& logged : call) {
      if (!logged.marker) {
        stream_.push_back({{}, logged.id});
        first_written_.emplace(logged.id, stream_.size() - 1);
      } else if (seen) {
        seen->first = std::min(seen->first, logged.time);
        seen->last = std::max(seen->last, logged.time);
      } else {
        seen = Mark::Call{server, logged.time, logged.time};
      }
    }
    if (seen) captures_[Random(2)].calls.push_back(*seen);
  }

  /// One call of a capture to ZooKeeper.
  void Look() {
    Capture& capture = captures_[Random(2)];
    if (!capture.read) capture.read = MembersRead{.began = now_};
    MembersRead& read = *capture.read;
    if (!read.has_live) {
      for (const Queue& queue : queues_) {
        if (queue.listed) read.seen.insert(queue.server);
      }
      read.has_live = true;
    } else if (!read.owners) {
      read.owners.emplace();
      for (const Queue& queue : queues_) read.owners->push_back(queue.server);
    } else if (!read.owners->empty()) {
      ListQueues(read.owners->front(), &read.seen);
      read.owners->pop_front();
    } else if (read.before == read.seen && now_ - read.before_began <= kLongestReading) {
      capture.members = {read.seen, read.before_began};
      capture.read.reset();
    } else {
      capture.read = MembersRead{.began = now_, .before = read.seen, .before_began = read.began};
    }
  }

  void ListQueues(const std::string& owner, std::set<std::string>* seen) const {
    for (const Queue& queue : queues_) {
      if (queue.owner == owner && !queue.gone) seen->insert(queue.server);
    }
  }

  void Tell() {
    Capture& capture = captures_[Random(2)];
    Mark mark{.calls = std::exchange(capture.calls, {})};
    if (capture.members) {
      mark.members.assign(capture.members->first.begin(), capture.members->first.end());
      mark.members_time = capture.members->second;
    }
    if (Random(4) == 0) capture.late.push_back(mark);
    if (Random(8) != 0) stream_.push_back({mark, 0});
  }

  void TellLate() {
    Capture& capture = captures_[Random(2)];
    if (capture.late.empty()) return;
    stream_.push_back({capture.late.front(), 0});
    capture.late.pop_front();
  }

  /// Of the cluster.
  void Change() {
    switch (Random(6)) {
      case 0:
        return queues_.size() < 6 ? Join() : void();
      case 1: {
        Queue* dead = Some(true);
        if (dead == nullptr) return;
        dead->alive = false;
        dead->calls.clear();  // what was under way is sent again by whoever takes the queue over
        dead->batch_end = 0;
        for (Queue& queue : queues_) {  // its other queues wait for another owner, too
          if (queue.owner == dead->server) queue.calls.clear(), queue.batch_end = 0;
        }
        return;
      }
      case 2:
        for (Queue& queue : queues_) queue.listed = queue.alive;
        return;
      case 3:
      case 4: {
        Queue* dead = Some(false);
        Queue* heir = Some(true);
        if (dead == nullptr || heir == nullptr || dead->listed || !OwnerIsDead(*dead)) return;
        if (dead->moved > 0 && now_ - dead->moved <= kLongestReading) return;
        dead->owner = heir->server;
        dead->moved = now_;
        return;
      }
      default:
        if (!sent_.empty()) {  // a call that its server has given up arrives late
          const auto& [server, call] = sent_[Random(static_cast<uint32_t>(sent_.size()))];
          Deliver(server, call);
        }
    }
  }
  bool OwnerIsDead(const Queue& queue) const {
    return std::any_of(queues_.begin(), queues_.end(),
                       [&](const Queue& owner) { return owner.server == queue.owner && !owner.alive; });
  }

  std::mt19937 random_;
  int64_t now_ = 1'000;
  int changes_ = 0;
  std::vector<Queue> queues_;
  std::vector<Capture> captures_;
  std::vector<std::pair<std::string, std::vector<Logged>>> sent_;
  std::vector<Message> stream_;
  std::map<int, size_t> first_written_;
};

TEST(Marks, TellNoTimeUpToWhichAChangeIsMissing) {
  int told = 0;
  for (int seed = 1; seed <= 10 * testing::Histories(); ++seed) {
    Cluster cluster(static_cast<uint32_t>(seed));
    cluster.Live(600);
    for (const size_t from : {size_t{0}, cluster.length() / 3, cluster.length() / 2}) {
      ASSERT_EQ(cluster.Check(from, &told), "") << "seed " << seed << ", read from " << from;
    }
  }
  EXPECT_GT(told, testing::Histories());
}

}  // namespace
}  // namespace fensi::indexer
