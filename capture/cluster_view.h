// What a peer looks like to HBase: its id and its servers, which are the captures of one root.
#pragma once

#include <string>
#include <vector>

namespace fensi::capture {

struct ClusterView {
  std::string id;                    // as it stands in ROOT/hbaseid
  std::vector<std::string> servers;  // names of ROOT/rs: "HOST,PORT,STARTCODE"
};

}  // namespace fensi::capture
