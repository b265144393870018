#include "past.h"

#include "database.h"
#include "measure.h"

typedef struct {
  sqlite3_stmt *begin, *commit, *snapshot, *revision, *events;
} Reader;

static Reader prepare_reader(sqlite3 *database) {
  return (Reader){
      .begin = prepare(database, "BEGIN"),
      .commit = prepare(database, "COMMIT"),
      .snapshot = prepare(
          database, "SELECT state, position FROM snapshot WHERE account = ?1 AND position <= ?2"
                    " ORDER BY position DESC LIMIT 1"),
      .revision = prepare(database, "SELECT revision FROM event WHERE position = ?1"),
      .events = prepare(
          database, "SELECT position, account, revision, session, kind, at, data FROM event"
                    " WHERE account = ?1 AND revision > ?2 ORDER BY account, revision")};
}

static int64_t revision_at(Reader *reader, int64_t position) {
  sqlite3_bind_int64(reader->revision, 1, position);
  int64_t revision = next_row(reader->revision) ? sqlite3_column_int64(reader->revision, 0) : 0;
  sqlite3_reset(reader->revision);
  return revision;
}

static void read_state(Reader *reader, int64_t account, int64_t position) {
  run(reader->begin);
  int64_t start = 0;
  sqlite3_bind_int64(reader->snapshot, 1, account);
  sqlite3_bind_int64(reader->snapshot, 2, position);
  if (next_row(reader->snapshot)) {
    sqlite3_column_blob(reader->snapshot, 0);
    start = sqlite3_column_int64(reader->snapshot, 1);
  }
  sqlite3_reset(reader->snapshot);
  sqlite3_bind_int64(reader->events, 1, account);
  sqlite3_bind_int64(reader->events, 2, revision_at(reader, start));
  while (next_row(reader->events)) {
    if (sqlite3_column_int64(reader->events, 0) > position) break;
    sqlite3_column_blob(reader->events, 6);
  }
  sqlite3_reset(reader->events);
  run(reader->commit);
}

static int64_t number(sqlite3 *database, const char *sql) {
  sqlite3_stmt *row = prepare(database, sql);
  if (!next_row(row)) fail("past", "the book is empty");
  int64_t number = sqlite3_column_int64(row, 0);
  sqlite3_finalize(row);
  return number;
}

void read_past(const char *path, long rounds) {
  sqlite3 *database = open_database(path, SQLITE_OPEN_NOMUTEX);
  int64_t size = number(database, "SELECT size FROM head");
  int64_t accounts = number(database, "SELECT count(*) FROM account");
  Reader reader = prepare_reader(database);
  Latencies latencies = make_latencies((size_t)rounds);
  double start = now();
  for (long round = 0; round < rounds; round++) {
    double begun = now();
    read_state(&reader, round % accounts + 1, size * (2 * round + 1) / (2 * rounds));
    add_latency(&latencies, now() - begun);
  }
  print_rate(rounds, now() - start, &latencies);
}
