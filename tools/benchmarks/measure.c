#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

Latencies make_latencies(size_t capacity) {
  Latencies latencies = {calloc(capacity, sizeof(double)), 0};
  if (!latencies.seconds) fail("latencies", "out of memory");
  return latencies;
}

void add_latency(Latencies *latencies, double seconds) {
  latencies->seconds[latencies->count++] = seconds;
}

static int ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double percentile(const Latencies *latencies, double share) {
  return latencies->seconds[(size_t)((double)latencies->count * share)];
}

void print_rate(long events, double seconds, Latencies *latencies) {
  printf("rate=%.0f", (double)events / seconds);
  if (latencies && latencies->count > 0) {
    qsort(latencies->seconds, latencies->count, sizeof(double), ascending);
    printf(
        " p50us=%.1f p99us=%.1f", percentile(latencies, 0.5) * 1e6,
        percentile(latencies, 0.99) * 1e6);
    free(latencies->seconds);
  }
  printf("\n");
}

_Noreturn void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(2);
}
