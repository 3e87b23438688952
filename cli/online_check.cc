#include "cli/online_check.h"

#include <algorithm>
#include <set>

#include "base/bytes.h"
#include "cli/table_plan.h"
#include "cli/topic_plan.h"

namespace fensi::cli {
namespace {

using mapping::Index;
using store::FamilyDescriptor;
using store::TableDescriptor;

const FamilyDescriptor* FindFamily(const TableDescriptor& table, const std::string& name) {
  for (const FamilyDescriptor& family : table.families) {
    if (family.name == name) return &family;
  }
  return nullptr;
}

/// What can be said about one index; findings are collected in order.
class IndexCheck {
 public:
  IndexCheck(const Index& index, std::vector<OnlineFinding>* findings) : index_(index), findings_(findings) {}

  void CheckSource(const std::optional<TableDescriptor>& source) {
    const std::string about = "source table " + index_.source_table();
    if (!source)
      return Add(false, about, "is not in this store: deletes of versions are then followed from kept versions only");
    std::set<std::string> families;
    for (const mapping::Watch& watch : index_.watches()) families.insert(watch.family);
    for (const std::string& name : families) {
      const FamilyDescriptor* family = FindFamily(*source, name);
      if (family == nullptr) {
        Add(true, about, "has no family '" + Escape(name) + "', which the index reads");
        continue;
      }
      if (family->replication_scope == 0) {
        Add(false, about,
            "family '" + Escape(name) + "' has REPLICATION_SCOPE 0: replication tells nobody of its changes");
      }
      CompareTtl(about, *family);
    }
  }

  void CheckPlan(const PlannedTable& plan) {
    const std::string about = "table " + plan.wanted.table.name;
    if (!plan.exists) return Add(true, about, "is missing; 'fensi create' makes it");
    for (const TableDifference& difference : plan.differences) Add(difference.matters, about, difference.text);
  }

 private:
  void CompareTtl(const std::string& about, const FamilyDescriptor& source) {
    for (const mapping::FamilySpec& spec : index_.create().families) {
      if (spec.ttl_seconds == source.ttl_seconds) continue;
      const auto text = [](const std::optional<int32_t>& ttl) {
        return ttl ? std::to_string(*ttl) + " s" : "for ever";
      };
      Add(false, about,
          "family '" + Escape(source.name) + "' keeps cells " + text(source.ttl_seconds) + ", the index's family '" +
              Escape(spec.name) + "' " + text(spec.ttl_seconds));
    }
  }

  void Add(bool error, const std::string& about, std::string text) {
    findings_->push_back({error, index_.name(), about, std::move(text)});
  }

  const Index& index_;
  std::vector<OnlineFinding>* const findings_;
};

}  // namespace

Result<std::vector<OnlineFinding>> CheckTablesOnline(const Indexes& indexes, store::Store* store) {
  std::vector<OnlineFinding> findings;
  for (const auto& index : indexes) {
    IndexCheck check(*index, &findings);
    const Result<std::optional<TableDescriptor>> source = store->DescribeTable(index->source_table());
    FENSI_RETURN_IF_ERROR(source.status());
    check.CheckSource(*source);
    const Result<std::vector<PlannedTable>> plans = PlanTables(*index, store);
    FENSI_RETURN_IF_ERROR(plans.status());
    for (const PlannedTable& plan : *plans) check.CheckPlan(plan);
  }
  return findings;
}

Result<std::vector<OnlineFinding>> CheckTopicsOnline(const std::vector<mapping::Mapping>& mappings,
                                                     consumer::TopicAdmin* admin) {
  std::vector<OnlineFinding> findings;
  for (const consumer::TopicSpec& wanted : TopicsOf(mappings, 1, 1)) {
    const Result<TopicPlan> plan = PlanTopic(wanted, admin);
    FENSI_RETURN_IF_ERROR(plan.status());
    const std::string about = "topic " + wanted.name;
    if (!plan->exists) findings.push_back({true, "", about, "is missing; 'fensi create --kafka' makes it"});
    if (!plan->fault.empty()) findings.push_back({true, "", about, plan->fault});
    const bool one = plan->exists && plan->partitions == 1 && wanted.configs.size() == 1;
    if (one)
      findings.push_back({false, "", about, "has 1 partition: one worker does everything, and it cannot grow later"});
  }
  return findings;
}

}  // namespace fensi::cli
