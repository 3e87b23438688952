#include "tests/indexer/support/moved.h"

#include <string>

#include "indexer/index_meta.h"
#include "indexer/meta_row.h"
#include "indexer/migration.h"

namespace fensi::testing {

std::shared_ptr<const mapping::Index> WithStates(const Rule& rule) {
  Rule before = rule;
  const std::string mirror = "scheme: mirror";
  before.index.replace(before.index.find(mirror), mirror.size(), "scheme: state");
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
  indexer::Migration migration(&world->index(), store, world->letters(), world->clock(), ahead);
  FENSI_RETURN_IF_ERROR(migration.Execute(nobody_runs));
  world->set_states(false);
  return {};
}

}  // namespace fensi::testing
