#include "limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "hash.h"
#include "measure.h"

// What one pass has met.
typedef struct {
  int64_t events;
  uint64_t bytes;
} Pass;

// The other parts of a leaf beside its facts, as a book of a benchmark has them.
enum { LEAF_ENVELOPE = 143, NODE_INPUT = 1 + 2 * HASH_SIZE };

static void touch(sqlite3_context *context, int count, sqlite3_value **values) {
  Pass *pass = sqlite3_user_data(context);
  pass->events++;
  for (int i = 0; i < count; i++) {
    int type = sqlite3_value_type(values[i]);
    if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
      sqlite3_value_blob(values[i]);
      pass->bytes += (uint64_t)sqlite3_value_bytes(values[i]);
    } else {
      sqlite3_value_int64(values[i]);
    }
  }
}

static void finish(sqlite3_context *context) { sqlite3_result_null(context); }

// Nanoseconds an event of a query whose rows are counted by `touch`, or of a check of the book.
static double pass(sqlite3 *database, Pass *met, const char *sql, int64_t events) {
  *met = (Pass){0};
  double start = now();
  sqlite3_stmt *rows = prepare(database, sql);
  while (next_row(rows)) continue;
  sqlite3_finalize(rows);
  return (now() - start) * 1e9 / (double)(events ? events : met->events);
}

// Nanoseconds to hash a leaf of some bytes and a node.
static double hashing(int64_t events, size_t leaf_size) {
  uint8_t *leaf = calloc(leaf_size, 1);
  uint8_t node[NODE_INPUT] = {1};
  if (!leaf) fail("limits", "out of memory");
  double start = now();
  for (int64_t i = 0; i < events; i++) {
    hash(leaf, leaf_size, node + 1);
    hash(node, sizeof node, leaf);
  }
  double spent = now() - start;
  free(leaf);
  return spent * 1e9 / (double)events;
}

void print_limits(const char *path) {
  sqlite3 *database = open_database(path, SQLITE_OPEN_NOMUTEX);
  Pass met;
  if (sqlite3_create_function(
          database, "touch", -1, SQLITE_UTF8, &met, NULL, touch, finish) != SQLITE_OK) {
    fail("limits", sqlite3_errmsg(database));
  }
  // The first look brings the book into the memory of the machine.
  pass(database, &met, "SELECT touch(leaf) FROM event NOT INDEXED", 0);
  double folded = pass(
      database, &met,
      "SELECT touch(position, account, revision, session, kind, at, data)"
      " FROM event NOT INDEXED", 0);
  double ids =
      pass(database, &met, "SELECT touch(id, position) FROM event INDEXED BY event_id", 0);
  double streams = pass(
      database, &met,
      "SELECT touch(account, revision, position) FROM event INDEXED BY event_stream", 0);
  double log = pass(
      database, &met,
      "SELECT touch(position, id, account, revision, session, kind, version, at, cause, writer,"
      " process, data, sealed, leaf) FROM event NOT INDEXED", 0);
  int64_t events = met.events;
  // The identity and the stored leaf are no facts.
  size_t facts = (size_t)(met.bytes / (uint64_t)events) - 16 - HASH_SIZE;
  double pages = pass(database, &met, "PRAGMA quick_check", events);
  double hashes = hashing(events, LEAF_ENVELOPE + facts);
  printf(
      "log=%.0f ids=%.0f streams=%.0f pages=%.0f hashes=%.0f verify=%.0f folded=%.0f fold=%.0f\n",
      log, ids, streams, pages, hashes, 1e9 / (log + ids + streams + pages + hashes), folded,
      1e9 / folded);
}
