// How jemalloc, which the program is linked to, keeps memory. MALLOC_CONF of the environment goes before it
// (jemalloc(3)).
#include <jemalloc/jemalloc.h>

/// Few arenas, and pages back after a second instead of ten: each arena keeps what its threads have freed, and most is
/// freed by another thread than took it. With jemalloc's own four for each core a process holds a fifth more, and is no
/// quicker.
const char* malloc_conf = "narenas:4,dirty_decay_ms:1000";  // the name is jemalloc's
