// Times of single calls, and what is said about them: the same lines that GatebookBench prints.
#pragma once
#include <stddef.h>

typedef struct {
  double *seconds;
  size_t count;
} Latencies;

// Seconds on a clock that never jumps.
double now(void);

// Room for so many times.
Latencies make_latencies(size_t capacity);

void add_latency(Latencies *latencies, double seconds);

// Prints `rate=… p50us=… p99us=…`: events a second, and percentiles of the single calls.
void print_rate(long events, double seconds, Latencies *latencies);

// Prints a message and ends the program.
_Noreturn void fail(const char *what, const char *why);
