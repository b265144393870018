// Counts what a program asks of the disk, of SQLite and of the heap; loaded by LD_PRELOAD.
//
// Prints `syncs=… writes=… written=… statements=… steps=… allocations=…` to standard error when the
// program ends. `writes` are those of SQLite and `written` their bytes, `statements` are those that
// were compiled, `steps` the times one was stepped.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long syncs, writes, written, statements, steps, allocations;

// The function of the same name that this one hides.
static void *hidden(const char *name) { return dlsym(RTLD_NEXT, name); }

int fsync(int file) {
  atomic_fetch_add(&syncs, 1);
  return ((int (*)(int))hidden("fsync"))(file);
}

int fdatasync(int file) {
  atomic_fetch_add(&syncs, 1);
  return ((int (*)(int))hidden("fdatasync"))(file);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  atomic_fetch_add(&writes, 1);
  atomic_fetch_add(&written, (long)count);
  typedef ssize_t (*Write)(int, const void *, size_t, off64_t);
  return ((Write)hidden("pwrite64"))(file, bytes, count, offset);
}

int sqlite3_prepare_v3(
    void *connection, const char *sql, int length, unsigned options, void **statement,
    const char **rest) {
  atomic_fetch_add(&statements, 1);
  typedef int (*Prepare)(void *, const char *, int, unsigned, void **, const char **);
  return ((Prepare)hidden("sqlite3_prepare_v3"))(connection, sql, length, options, statement, rest);
}

int sqlite3_step(void *statement) {
  atomic_fetch_add(&steps, 1);
  return ((int (*)(void *))hidden("sqlite3_step"))(statement);
}

// dlsym allocates: what the heap hides is called by glibc's own names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size) {
  atomic_fetch_add(&allocations, 1);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  atomic_fetch_add(&allocations, 1);
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  atomic_fetch_add(&allocations, 1);
  return __libc_realloc(block, size);
}

__attribute__((destructor)) static void report(void) {
  fprintf(
      stderr, "syncs=%ld writes=%ld written=%ld statements=%ld steps=%ld allocations=%ld\n", syncs,
      writes, written, statements, steps, allocations);
}

// The command ends so, without destructors.
void _exit(int status) {
  report();
  for (;;) syscall(SYS_exit_group, status);
}
