#include "store/routing_store.h"

#include <iterator>

namespace fensi::store {

std::unique_ptr<Store> RoutingStore::Guarded(std::function<Status()> permission) {
  std::shared_ptr<Store> index = index_->Guarded(permission);
  std::shared_ptr<Store> source = source_->Guarded(std::move(permission));
  return std::make_unique<RoutingStore>(std::move(index), std::move(source), place_);
}

std::vector<ServerCalls> RoutingStore::Servers() const {
  std::vector<ServerCalls> servers = index_->Servers(), others = source_->Servers();
  servers.insert(servers.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  return servers;
}

}  // namespace fensi::store
