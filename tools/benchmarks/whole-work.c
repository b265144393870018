// The whole anchor: what Gatebook does for an event, in C.
//
//   whole-work append SCHEMA PATH BATCH EVENTS   durable appends, each batch one transaction
//   whole-work verify PATH                       recomputes the leaves and the root of any book
//   whole-work check PATH                        the same, and SQLite's integrity_check
//   whole-work past PATH ROUNDS                  reads what questions about the past need
//   whole-work limits PATH                       what verifying and folding any book must cost
//
// SCHEMA holds the migrations one after the other, and their number. The books verify with Gatebook, projections included.
#include <stdlib.h>
#include <string.h>

#include "book.h"
#include "limits.h"
#include "measure.h"
#include "past.h"
#include "verification.h"

static void append(const char *schema, const char *path, long batch, long events) {
  Book *book = make_book(path, schema);
  Latencies latencies = make_latencies((size_t)(events / batch + 1));
  double start = now();
  for (long first = 0; first < events; first += batch) {
    double begun = now();
    begin(book);
    for (long number = first; number < first + batch; number++) record_event(book, number);
    commit(book);
    add_latency(&latencies, now() - begun);
  }
  print_rate(events, now() - start, &latencies);
}

int main(int count, char **arguments) {
  if (count == 6 && strcmp(arguments[1], "append") == 0) {
    append(arguments[2], arguments[3], atol(arguments[4]), atol(arguments[5]));
  } else if (count == 3 && strcmp(arguments[1], "verify") == 0) {
    verify_book(arguments[2], false);
  } else if (count == 3 && strcmp(arguments[1], "check") == 0) {
    verify_book(arguments[2], true);
  } else if (count == 4 && strcmp(arguments[1], "past") == 0) {
    read_past(arguments[2], atol(arguments[3]));
  } else if (count == 3 && strcmp(arguments[1], "limits") == 0) {
    print_limits(arguments[2]);
  } else {
    fail(
        "usage",
        "whole-work append SCHEMA PATH BATCH EVENTS | verify PATH | check PATH | past PATH ROUNDS"
        " | limits PATH");
  }
  return 0;
}
