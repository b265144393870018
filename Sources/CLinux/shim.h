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

// What follows is part of the kernel's interface. The headers of the C library are not included:
// Swift would then find sockets here instead of in Glibc's module.

// `struct ucred` with SO_PEERCRED (unix(7)): Glibc shows it only with _GNU_SOURCE.
struct gatebook_peer { int process; unsigned user; unsigned group; };
extern int gatebook_getsockopt(int socket, int level, int name, void *value, unsigned *size)
    __asm__("getsockopt");
static inline int gatebook_peer_of(int socket, struct gatebook_peer *peer) {
  unsigned size = sizeof *peer;
  return gatebook_getsockopt(socket, 1, 17, peer, &size);
}

// epoll(7), whose event is packed on x86-64 and has a union.
struct gatebook_event {
  unsigned events;
  unsigned long long descriptor;
}
#if defined(__x86_64__)
__attribute__((packed))
#endif
;
struct gatebook_readiness { unsigned events; int descriptor; };
extern int gatebook_epoll_create(int flags) __asm__("epoll_create1");
extern int gatebook_epoll_ctl(int queue, int operation, int descriptor, void *event)
    __asm__("epoll_ctl");
extern int gatebook_epoll_await(int queue, void *events, int count, int milliseconds)
    __asm__("epoll_wait");
static inline int gatebook_epoll_set(int queue, int operation, int descriptor, unsigned events) {
  struct gatebook_event event = {events, (unsigned)descriptor};
  return gatebook_epoll_ctl(queue, operation, descriptor, &event);
}
static inline int gatebook_epoll_wait(
    int queue, struct gatebook_readiness *ready, int count, int milliseconds) {
  struct gatebook_event events[64];
  int found = gatebook_epoll_await(queue, events, count < 64 ? count : 64, milliseconds);
  for (int i = 0; i < found; i++)
    ready[i] = (struct gatebook_readiness){events[i].events, (int)events[i].descriptor};
  return found;
}
