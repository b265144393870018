#pragma once
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// A variadic function, which Swift does not import.
static inline int gatebook_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// glibc declares memfd_create and pidfd_open only with _GNU_SOURCE. 1 is MFD_CLOEXEC; a handle of a
// process is closed by exec in any case.
static inline int gatebook_memory_file(const char *name) {
  return (int)syscall(SYS_memfd_create, name, 1U);
}

static inline int gatebook_process_handle(int process) {
  return (int)syscall(SYS_pidfd_open, process, 0U);
}
