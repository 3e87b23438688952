#include "tests/indexer/support/chaos_history.h"

#include "tests/indexer/support/handovers.h"
#include "tests/indexer/support/unique_rules.h"

namespace fensi::testing {
namespace {

using Keys = ChaosKind::Keys;
using Ttl = ChaosKind::Ttl;

std::vector<ChaosKind> UniqueKinds() {
  const std::vector<std::string> lists = {"a", "b", "a,b", "c", "b,c"};
  const std::vector<std::string> letters = {"a", "b", "c"};
  return {{"row", UniqueKeyRule(), "kx", letters, Keys::kUnique, Ttl::kAny},
          {"columns", UniqueColumnsRule("columns", "f:*"), "kv", letters, Keys::kUnique, Ttl::kAny},
          {"pattern", UniqueColumnsRule("pattern", "[f:k*, f:v*]"), "kvx", letters, Keys::kUnique, Ttl::kAny},
          {"list", UniqueListRule(), "k", lists, Keys::kUnique, Ttl::kAny},
          {"period", UniquePeriodRule()},
          {"days", UniquePeriodRule(31)},
          {"two_columns", UniqueRule(), "kv", letters, Keys::kUnique, Ttl::kAny, true},
          {"with_value", UniqueWithValueRule(), "kv", letters, Keys::kUnique, Ttl::kNone, true},
          {"when", UniqueWhenRule(), "kv", letters, Keys::kUnique, Ttl::kAny, true},
          {"each_named", UniqueEachNamedRule(), "kx", letters, Keys::kUnique, Ttl::kAny, true},
          {"each_when", UniqueEachWhenRule(), "kx", letters, Keys::kUnique, Ttl::kAny, true}};
}

std::string StepText(const ChaosStep& step) {
  const std::string n = std::to_string(step.n), of = " of partition " + std::to_string(step.partition);
  const std::string dies = step.death.write == 0 ? "" : ", " + Text(step.death);
  switch (step.kind) {
    case ChaosStep::kHappen:
      return EventText(step.event) + ", the clock is " + std::to_string(step.clock) +
             (step.early == 0 ? "" : ", received " + std::to_string(step.early) + " places early");
    case ChaosStep::kApply:
      return "apply " + n + of + dies + (step.commit ? ", commit" : "");
    case ChaosStep::kRequest:
      return (step.recheck ? "recheck " : "scan ") + (step.row.empty() ? "each row" + of : step.row);
    case ChaosStep::kApplyRequests:
      return "apply requests" + of + dies;
    case ChaosStep::kReplay:
      return "replay the log";
    case ChaosStep::kRepeat:
      return "repeat " + n + of + " from " + std::to_string(step.from);
    case ChaosStep::kDeliverLate:
      return "deliver " + n + " late writes";
    case ChaosStep::kShowLate:
      return "the source shows its newest " + n + " events late";
    case ChaosStep::kCompactIndex:
      return "compact the index";
    case ChaosStep::kPurge:
      return "purge delete markers";
    case ChaosStep::kSettle:
      return "apply all, compare";
  }
  return "";
}

}  // namespace

const std::vector<ChaosKind>& ChaosKinds() {
  static const std::vector<ChaosKind> kinds = [] {
    const std::vector<std::string> letters = {"a", "b", "c"};
    std::vector<ChaosKind> all = UniqueKinds();
    all.push_back({"shared", SharedRule(), "k", letters, Keys::kShared});
    const auto plain = [&](const char* name, const Rule& rule, Ttl ttl = Ttl::kNone) {
      all.push_back({name, rule, "kvm", letters, Keys::kPlain, ttl});
    };
    plain("value", ValueRule());
    plain("two_part", TwoPartRule());
    plain("composite", CompositeRule(), Ttl::kAny);
    plain("condition", ConditionRule());
    plain("qualifier", QualifierRule(), Ttl::kAny);
    plain("fan_out", FanOutRule(), Ttl::kAny);
    plain("each_condition", EachConditionRule(), Ttl::kAny);
    plain("cells", TwoColumnsRule());
    plain("plain_days", PeriodRule());
    plain("mirror", MirrorValueRule(), Ttl::kInexact);
    plain("mirror_each", MirrorEachValueRule(), Ttl::kInexact);
    return all;
  }();
  return kinds;
}

std::string OptionsOf(const ChaosSetting& setting) {
  if (setting.ttl_s == 0) return "";
  return "    create: { families: { f: { ttl: " + std::to_string(setting.ttl_s) + "s } } }\n" +
         (setting.exact ? "    expire: exact\n" : "");
}

std::string ChaosHistory::Text() const {
  const ChaosSetting& s = setting;
  std::string text = "index " + s.kind->name + (s.with_source ? ", with a source table" : ", without a source table") +
                     (s.tight ? ", in pieces" : "") + (s.read_points ? ", read points" : "") +
                     (s.catches_up ? ", catches up" : "") + (s.numbered ? ", sequence ids" : "") +
                     (s.ordered ? "" : ", out of order") + ", clock " + std::to_string(s.start) + ", " +
                     std::to_string(1 << s.bucket_bits) + " buckets";
  if (s.ttl_s > 0) text += ", TTL " + std::to_string(s.ttl_s) + " s" + (s.exact ? ", exact" : "");
  if (s.behind > 0) text += ", the clock is " + std::to_string(s.behind) + " ms behind";
  for (const ChaosStep& step : steps) text += "\n  " + StepText(step);
  return text + "\n";
}

}  // namespace fensi::testing
