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

std::string Quoted(const std::string& name) { return "'" + name + "'"; }

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
      Refuse(*index, "an earlier reload removed it, and it is still finishing its events in flight; reload again");
    } else {
      found_.stay.push_back(index);
      CompareKept(*known->index, *index);
    }
  }

  void CompareKept(const Index& old, const Index& now) {
    if (old.fingerprint() != now.fingerprint()) {
      Refuse(
          now,
          "its definition has changed, and entries of the old one would stay. Give the new definition "
          "another name, build it beside this one, and let 'fensi switch' lead readers to it; or take the index out, "
          "reload, drop its tables with 'fensi drop', and build it again under its name");
    }
    if (old.scheme() != now.scheme()) {
      Refuse(now,
             std::string("its 'mode' has changed, and one mode cannot use the row state of the other. Give the "
                         "index another name and build it beside this one, or ") +
                 (now.scheme() == mapping::Scheme::kStateless
                      ? "stop it and make it stateless with 'fensi convert' (one that began without its source "
                        "table stays stateful, and a restart takes either word)"
                      : "restart the process if this one never became stateless (the log said stateless_fallback)"));
    }
    RefuseMoved(now, "topic", old.topic(), now.topic());
    RefuseMoved(now, "group", old.group(), now.group());
    RefuseMoved(now, "state table", old.state_table(), now.state_table());
    if (old.dead_letter_topic() != now.dead_letter_topic()) Wait(now, "'dead_letters'");
    if (old.keep_millis() != now.keep_millis()) Wait(now, "'retention'");
    const bool families = SameFamilies(old, now);
    if (!families) Wait(now, "'create'");
    if (!families || old.create().split_keys != now.create().split_keys) found_.remade.push_back(now.name());
  }

  void RefuseMoved(const Index& index, const std::string& what, const std::string& old, const std::string& now) {
    if (old == now) return;
    Refuse(
        index,
        "its " + what + " has changed from " + Quoted(old) + " to " + Quoted(now) +
            ", and the progress of the index belongs to the old one. Give the index another name and build it beside "
            "this one, or restart the process, and see 'fensi help mapping' for what the index then begins "
            "with");
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
                        ", which is gone from the files and must have ended first: take that one out, reload, then "
                        "add this one, and reload again");
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
