#include "operations/convert/converting.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/text.h"
#include "operations/console/console.h"

namespace fensi::operations {
namespace {

using indexer::SchemeChangeStage;

// Regions move and gateways start again; longer than that is no passing trouble.
constexpr std::chrono::minutes kLongestOutage{10};

}  // namespace

Result<std::shared_ptr<store::Store>> OpenTablesToConvert(const ConvertOptions& options) {
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<store::Store> store,
                         options.execute ? OpenStoreToWrite(options.store) : OpenStoreToReadAny(options.store));
  return std::shared_ptr<store::Store>(WaitingStore(std::move(store), kLongestOutage));
}

Status Converting::Run() {
  FENSI_RETURN_IF_ERROR(OpenKafka());
  auto found = conversion_.Look();
  if (found.status().code() == StatusCode::kNotFound) {
    return found.status().WithSuffix(". Correct --store (" + options_.store.url +
                                     "), or start 'fensi run' once, which begins the index");
  }
  FENSI_RETURN_IF_ERROR(found.status());
  found_ = *found;
  if (found_.nothing_to_do) {
    Say("convert: nothing to do: index " + index_->name() + " is stateless");
    return {};
  }
  Print(FoundText());
  (void)FinishOutput();  // before anything is done
  FENSI_RETURN_IF_ERROR(RequireStopped());
  if (options_.execute) return Execute();
  SayDryRun("convert", "convert the index", "This cannot be undone.");
  return {};
}

Status Converting::OpenKafka() {
  if (!options_.kafka) return {};
  FENSI_ASSIGN_OR_RETURN(admin_,
                         consumer::TopicAdmin::Create(options_.kafka->cluster, options_.kafka->connect_timeout));
  return {};
}

std::string Converting::FoundText() const {
  const auto planned = [this](const std::string& text) { return options_.execute ? std::string() : text; };
  if (found_.stage == SchemeChangeStage::kMoved) {
    return "index " + index_->name() + ": stateless; old row states are left" + planned(": to be removed") + "\n";
  }
  const bool begun = found_.stage == SchemeChangeStage::kStarted;
  return "index " + index_->name() + ": " +
         (begun ? "its conversion has begun, and no daemon may run the index" : "kept with states") + "\n  " +
         Counted(found_.units, "state") + ", up to version " + std::to_string(found_.newest) +
         planned(": to be removed") + "\n  " + Counted(found_.open, "state") + " ambiguous" +
         planned(": to be read again from " + index_->source_table()) + "\n" +
         (found_.unnamed
              ? "  no incarnation: its first 'fensi run' ended before it had one" + planned("; to be given one") + "\n"
              : "");
}

Status Converting::RequireStopped() const {
  if (admin_ == nullptr || found_.stage == SchemeChangeStage::kMoved) return {};
  FENSI_ASSIGN_OR_RETURN(const consumer::GroupDescription group, admin_->groups().DescribeGroup(index_->group()));
  if (group.active()) return Status(StatusCode::kConfiguration, MembersText(index_->group(), group));
  return found_.committed ? RequireItsGroup() : Status();
}

Status Converting::RequireItsGroup() const {
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::optional<int64_t>> offsets,
                         admin_->groups().CommittedOffsets(index_->group(), index_->topic()));
  const auto committed = [](const std::optional<int64_t>& offset) { return offset.has_value(); };
  if (std::any_of(offsets.begin(), offsets.end(), committed)) return {};
  return Status(StatusCode::kConfiguration,
                "index " + index_->name() + " has followed a topic, but group " + index_->group() +
                    " has committed no offset of topic " + index_->topic() +
                    " in this Kafka. So fensi cannot see whether a 'fensi run' still has the index. Give the Kafka of "
                    "that 'fensi run' with --kafka, and its group and topic in the mapping file ('group:', 'topic:')");
}

Status Converting::Execute() {
  FENSI_RETURN_IF_ERROR(conversion_.Execute([this] { return RequireStopped(); }));
  if (letters_.count() > 0) {
    Say("convert: index " + index_->name() + ": fensi read ambiguous cells of table " + index_->source_table() +
        " again, and " + Counted(letters_.count(), "value") + " cannot become entries. The first is of source row '" +
        Escape(letters_.first_row()) + "': " + letters_.first() + ". Correct the value in table " +
        index_->source_table() + ": the 'fensi run' of the index then makes the entry");
  }
  const bool moved_before = found_.stage == SchemeChangeStage::kMoved;
  Say("convert: " + (moved_before ? std::string() : Counted(found_.units, "state") + " removed; ") + "index " +
      index_->name() + " is stateless. Start its 'fensi run' with this mapping file");
  return {};
}

}  // namespace fensi::operations
