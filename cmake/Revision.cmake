# Writes OUTPUT, a .cc that says of which commit of SOURCE the program is, when that is another than it says already:
#   cmake -DOUTPUT=… -DSOURCE=… -DTHRIFT=0.17.0 -P Revision.cmake
# Without git or outside of a clone it is not known: FENSI_REVISION of the environment may name it, as packagers do.
set(revision "$ENV{FENSI_REVISION}")
if(NOT revision)
  execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT revision MATCHES "^[0-9A-Za-z.+~-]+$")
  set(revision "unknown")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
#include "daemon/admin/build_facts.h"

namespace fensi::daemon {

const char* BuildRevision() { return "@revision@"; }
const char* BuildThrift() { return "@THRIFT@"; }

}  // namespace fensi::daemon
]] @ONLY)
