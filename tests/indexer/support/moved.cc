#include "tests/indexer/support/moved.h"

#include <string>

#include "indexer/conversion.h"
#include "indexer/index_meta.h"
#include "indexer/meta_row.h"

namespace fensi::testing {

std::shared_ptr<const mapping::Index> WithStates(const Rule& rule) {
  Rule before = rule;
  const std::string mirror = "mode: stateless";
  before.index.replace(before.index.find(mirror), mirror.size(), "mode: stateful");
  return CompileRule(before);
}

void BeginWithStates(World* world) {
  world->set_states(true);
  const auto before = WithStates(world->rule());
  indexer::IndexMeta meta(before.get(), world->store(), world->clock());
  Must(meta.Open());
  if (before->state_scope() != mapping::StateScope::kRow) return;
  const indexer::MetaRow row(before.get(), world->store(), world->clock());
  const auto bits = world->layout().bucket_bits;
  Must(row.Write("scheme", 2, bits ? "state 2" : "state 1"));
  if (bits) Must(row.Write("buckets", 2, std::to_string(1 << *bits)));
}

Status Move(World* world, store::Store* through, const std::function<Status()>& nobody_runs, int64_t ahead) {
  store::Store* store = through == nullptr ? world->store() : through;
  indexer::Conversion conversion(&world->index(), store, world->letters(), world->clock(), ahead);
  FENSI_RETURN_IF_ERROR(conversion.Execute(nobody_runs));
  world->set_states(false);
  return {};
}

}  // namespace fensi::testing
