#pragma once
#include <sys/prctl.h>

// A variadic function, which Swift does not import.
static inline int gatebook_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
