#include "daemon/control/comparison.h"

#include <algorithm>
#include <tuple>

namespace fensi::daemon {
namespace {

using mapping::FamilySpec;
using mapping::Index;

auto Tied(const FamilySpec& family) {
  return std::tie(family.name, family.ttl_seconds, family.versions, family.min_versions, family.bloom,
                  family.compression, family.in_memory, family.block_cache, family.block_size);
}

bool SameFamilies(const Index& a, const Index& b) {
  const auto same = [](const FamilySpec& left, const FamilySpec& right) { return Tied(left) == Tied(right); };
  const auto &left = a.create().families, &right = b.create().families;
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), same);
}

std::string ChangelogText(const Index& index) { return index.changelog() == nullptr ? "" : index.changelog()->Text(); }

std::string Quoted(const std::string& name) { return "'" + name + "'"; }

std::string ToStateless(const std::string& index) {
  return "its 'mode' has changed to stateless. Put 'mode: stateful' back, or convert the index: stop each 'fensi run' "
         "of it, enter fensi convert MAPPING " +
         index +
         " --store URL --kafka HOST:PORT --execute, and start each 'fensi run' again. An index that began "
         "without its source table stays stateful: for such an index, restart the process, and convert nothing";
}

constexpr char kToStateful[] =
    "its 'mode' has changed to stateful, and a stateless index has no row states. Put 'mode: stateless' back, or give "
    "the index another name and build this second index. If the log says stateless_fallback for this index, restart "
    "the process: the index never was stateless";

class Comparing {
 public:
  explicit Comparing(const std::vector<RunningIndex>& running) : running_(running) {}

  Comparison With(const operations::Indexes& wanted) {
    for (const auto& index : wanted) Place(index);
    for (const RunningIndex& each : running_) {
      const bool named = std::any_of(wanted.begin(), wanted.end(),
                                     [&](const auto& index) { return index->name() == each.index->name(); });
      if (!named && !each.leaving) found_.end.push_back(each.index->name());
    }
    for (const auto& index : found_.begin) RefuseHeir(*index);
    return std::move(found_);
  }

 private:
  const RunningIndex* Find(const std::string& name) const {
    const auto found = std::find_if(running_.begin(), running_.end(),
                                    [&](const RunningIndex& each) { return each.index->name() == name; });
    return found == running_.end() ? nullptr : &*found;
  }

  void Place(const std::shared_ptr<const Index>& index) {
    const RunningIndex* known = Find(index->name());
    if (known == nullptr || known->ended) {
      found_.begin.push_back(index);
    } else if (known->leaving) {
      Refuse(
          *index,
          "an earlier reload removed this index, and the index still finishes its events in flight. Reload again in a "
          "few seconds");
    } else {
      found_.stay.push_back(index);
      CompareKept(*known->index, *index);
    }
  }

  void CompareKept(const Index& old, const Index& now) {
    if (old.fingerprint() != now.fingerprint()) {
      Refuse(
          now,
          "its definition has changed, and entries of the old definition would stay. If you did not want the "
          "change, put the old definition back. Otherwise give the new definition another index name, build this "
          "second index, and move readers to it with 'fensi switch' ('fensi help redefinition'). If no application "
          "reads the index: take it out, reload, drop it with the old definition ('fensi drop'), and build it again");
    }
    if (old.scheme() != now.scheme()) {
      Refuse(now, now.scheme() == mapping::Scheme::kStateless ? ToStateless(now.name()) : kToStateful);
    }
    RefuseMoved(now, "topic", old.topic(), now.topic());
    RefuseMoved(now, "group", old.group(), now.group());
    RefuseMoved(now, "state table", old.state_table(), now.state_table());
    if (old.dead_letter_topic() != now.dead_letter_topic()) Wait(now, "'dead_letters'");
    if (old.keep_millis() != now.keep_millis()) Wait(now, "'retention'");
    if (ChangelogText(old) != ChangelogText(now)) Wait(now, "'changelog'");
    const bool families = SameFamilies(old, now);
    if (!families) Wait(now, "'create'");
    if (!families || old.create().split_keys != now.create().split_keys) found_.remade.push_back(now.name());
  }

  void RefuseMoved(const Index& index, const std::string& what, const std::string& old, const std::string& now) {
    if (old == now) return;
    Refuse(index,
           "its " + what + " has changed from " + Quoted(old) + " to " + Quoted(now) +
               ", and the progress of the index belongs to the old " + what +
               ". Put the old value back, or give the index another name and build this second index. A restart of the "
               "process also accepts the new value: 'fensi help mapping' says where the index then begins");
  }

  /// Two of them at work on one state, or in one group, would undo each other's work.
  void RefuseHeir(const Index& index) {
    for (const RunningIndex& other : running_) {
      if (other.ended || other.index->name() == index.name()) continue;
      const bool leaves =
          other.leaving || std::find(found_.end.begin(), found_.end.end(), other.index->name()) != found_.end.end();
      const bool shares = other.index->state_table() == index.state_table() || other.index->group() == index.group();
      if (!leaves || !shares) continue;
      Refuse(index, "it has the state table or the group of index " + other.index->name() +
                        ", which must end first. Reload twice: first without index " + index.name() +
                        " in the mapping files, then with it");
    }
  }

  void Refuse(const Index& index, const std::string& why) {
    found_.refused.push_back(RedactableText("index " + index.name() + ": " + why));
  }

  void Wait(const Index& index, const std::string& what) {
    found_.waits.push_back("index " + index.name() + ": " + what + " has changed");
  }

  const std::vector<RunningIndex>& running_;
  Comparison found_;
};

}  // namespace

Comparison CompareIndexes(const std::vector<RunningIndex>& running, const operations::Indexes& wanted) {
  return Comparing(running).With(wanted);
}

}  // namespace fensi::daemon
