// Facts of the build. Made at build time (cmake/Revision.cmake). Pure.
#pragma once

namespace fensi::daemon {

/// The commit, as git abbreviates it; "unknown" if there was none.
const char* BuildRevision();
/// The version of Thrift's library.
const char* BuildThrift();

}  // namespace fensi::daemon
