// Of what the program was built. Made at build time (cmake/Revision.cmake). Pure.
#pragma once

namespace fensi::cli {

/// The commit, as git abbreviates it; "unknown" where there was none.
const char* BuildRevision();
/// The version of Thrift's library.
const char* BuildThrift();

}  // namespace fensi::cli
