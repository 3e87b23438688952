#include "tests/indexer/model/model_server.h"

#include "tests/indexer/support/world.h"

namespace fensi::testing {

void MemoryServer::MajorCompact(const std::string& table, bool purge) { Must(store_.MajorCompact(table, purge)); }

}  // namespace fensi::testing
