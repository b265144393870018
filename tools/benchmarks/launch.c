// Runs a program some times and prints what the kernel counted of it.
//
//   launch TIMES PROGRAM [ARGUMENT...]
//
// Prints `p50us=… p99us=… kib=… faults=… blocks=…`: the time from start to end, the most memory that
// a run had, the median of its page faults that needed no disk, and the blocks read from the disk in
// all runs. A process inherits the peak of the one that starts it, so a small one must.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "measure.h"

extern char **environ;

typedef struct {
  long kib, blocks;
  long *faults;
  Latencies latencies;
} Runs;

static void run_once(Runs *runs, char **words, const posix_spawn_file_actions_t *actions) {
  pid_t process;
  struct rusage usage;
  int status;
  double begin = now();
  if (posix_spawnp(&process, words[0], actions, NULL, words, environ) != 0) {
    fail(words[0], "cannot be started");
  }
  if (wait4(process, &status, 0, &usage) != process) fail(words[0], "was lost");
  double duration = now() - begin;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail(words[0], "failed");
  runs->faults[runs->latencies.count] = usage.ru_minflt;
  add_latency(&runs->latencies, duration);
  if (usage.ru_maxrss > runs->kib) runs->kib = usage.ru_maxrss;
  runs->blocks += usage.ru_inblock;
}

static int ascending(const void *left, const void *right) {
  long a = *(const long *)left, b = *(const long *)right;
  return (a > b) - (a < b);
}

int main(int count, char **arguments) {
  long times = count > 2 ? atol(arguments[1]) : 0;
  if (times < 1) fail("usage", "launch TIMES PROGRAM [ARGUMENT...]");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  Runs runs = {0, 0, calloc((size_t)times, sizeof(long)), make_latencies((size_t)times)};
  if (!runs.faults) fail("launch", "out of memory");
  double start = now();
  for (long i = 0; i < times; i++) run_once(&runs, arguments + 2, &actions);
  qsort(runs.faults, (size_t)times, sizeof(long), ascending);
  printf("kib=%ld faults=%ld blocks=%ld ", runs.kib, runs.faults[times / 2], runs.blocks);
  print_rate(times, now() - start, &runs.latencies);
  free(runs.faults);
  return 0;
}
