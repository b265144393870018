// The plain anchor: what an event costs that is one row with one hash, and nothing else.
//
//   plain-row append PATH BATCH EVENTS   durable appends, each batch one transaction
//   plain-row verify PATH                recomputes the chain of hashes
//
// A table with two unique indexes, ids that ascend with time, 200 streams, 190 bytes of JSON.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "hash.h"
#include "measure.h"

enum { STREAMS = 200, ID_SIZE = 16 };

static const char *SCHEMA =
    "CREATE TABLE event (seq INTEGER PRIMARY KEY, event_id BLOB NOT NULL, stream TEXT NOT NULL,"
    " version INTEGER NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL, payload TEXT NOT NULL,"
    " hash BLOB NOT NULL);"
    "CREATE UNIQUE INDEX event_id ON event (event_id);"
    "CREATE UNIQUE INDEX event_stream ON event (stream, version);";

static const char *TYPES[] = {
    "session.login.succeeded", "session.token.refreshed", "session.challenge.received",
    "session.challenge.answered", "session.logout", "user.attributes.changed"};
enum { TYPE_COUNT = sizeof(TYPES) / sizeof(TYPES[0]) };

typedef struct {
  int64_t sequence;
  uint8_t id[ID_SIZE];
  const char *stream;
  size_t stream_size;
  int64_t version;
  const char *type;
  size_t type_size;
  int64_t at;
  const char *payload;
  size_t payload_size;
} Row;

// xorshift: the same numbers in every run.
static uint64_t next_random(void) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static size_t add(uint8_t *buffer, size_t used, const void *bytes, size_t count) {
  memcpy(buffer + used, bytes, count);
  return used + count;
}

// Replaces the hash of the row before by that of this row.
static void extend_chain(uint8_t chain[HASH_SIZE], const Row *row) {
  uint8_t buffer[1024];
  size_t used = add(buffer, 0, chain, HASH_SIZE);
  used = add(buffer, used, row->id, ID_SIZE);
  used = add(buffer, used, &row->version, sizeof row->version);
  used = add(buffer, used, &row->at, sizeof row->at);
  used = add(buffer, used, row->stream, row->stream_size);
  used = add(buffer, used, row->type, row->type_size);
  used = add(buffer, used, row->payload, row->payload_size);
  hash(buffer, used, chain);
}

// A UUID of version 7 in shape: 48 bits of time, then random ones.
static void make_id(uint8_t id[ID_SIZE], int64_t milliseconds) {
  uint64_t high = next_random(), low = next_random();
  memcpy(id, &high, 8);
  memcpy(id + 8, &low, 8);
  for (int i = 0; i < 6; i++) id[i] = (uint8_t)(milliseconds >> (40 - 8 * i));
}

static size_t make_payload(char *text, size_t size, long number, int account) {
  return (size_t)snprintf(
      text, size,
      "{\"account\":\"acct-%05d\",\"realm\":\"https://login.example.org/realms/main\","
      "\"scopes\":[\"openid\",\"profile\",\"offline_access\"],\"expiresAt\":%ld,"
      "\"device\":\"linux-%04d\",\"attempt\":%ld,\"result\":\"ok\"}",
      account, 1750000000 + number, account, number % 7);
}

static void insert(sqlite3_stmt *statement, const Row *row, const uint8_t chain[HASH_SIZE]) {
  sqlite3_bind_int64(statement, 1, row->sequence);
  bind_bytes(statement, 2, row->id, ID_SIZE);
  bind_text(statement, 3, row->stream, row->stream_size);
  sqlite3_bind_int64(statement, 4, row->version);
  bind_text(statement, 5, row->type, row->type_size);
  sqlite3_bind_int64(statement, 6, row->at);
  bind_text(statement, 7, row->payload, row->payload_size);
  bind_bytes(statement, 8, chain, HASH_SIZE);
  run(statement);
}

static void append_one(
    sqlite3_stmt *statement, long number, int64_t versions[STREAMS], uint8_t chain[HASH_SIZE]) {
  char stream[32], payload[512];
  int account = (int)(next_random() % STREAMS);
  const char *type = TYPES[number % TYPE_COUNT];
  Row row = {
      .sequence = number + 1, .stream = stream, .version = ++versions[account], .type = type,
      .type_size = strlen(type), .at = 1750000000000 + number, .payload = payload};
  make_id(row.id, row.at);
  row.stream_size = (size_t)snprintf(stream, sizeof stream, "acct-%05d", account);
  row.payload_size = make_payload(payload, sizeof payload, number, account);
  extend_chain(chain, &row);
  insert(statement, &row, chain);
}

static void append(const char *path, long batch, long events) {
  sqlite3 *database = open_database(path, SQLITE_OPEN_FULLMUTEX);
  execute(database, SCHEMA);
  sqlite3_stmt *begin = prepare(database, "BEGIN IMMEDIATE");
  sqlite3_stmt *commit = prepare(database, "COMMIT");
  sqlite3_stmt *insertion = prepare(database, "INSERT INTO event VALUES (?,?,?,?,?,?,?,?)");
  int64_t versions[STREAMS] = {0};
  uint8_t chain[HASH_SIZE] = {0};
  Latencies latencies = make_latencies((size_t)(events / batch + 1));
  double start = now();
  for (long first = 0; first < events; first += batch) {
    double begun = now();
    run(begin);
    for (long number = first; number < first + batch; number++) {
      append_one(insertion, number, versions, chain);
    }
    run(commit);
    add_latency(&latencies, now() - begun);
  }
  print_rate(events, now() - start, &latencies);
}

static Row read_row(sqlite3_stmt *statement) {
  Row row = {
      .sequence = sqlite3_column_int64(statement, 0),
      .stream = (const char *)sqlite3_column_text(statement, 2),
      .stream_size = (size_t)sqlite3_column_bytes(statement, 2),
      .version = sqlite3_column_int64(statement, 3),
      .type = (const char *)sqlite3_column_text(statement, 4),
      .type_size = (size_t)sqlite3_column_bytes(statement, 4),
      .at = sqlite3_column_int64(statement, 5),
      .payload = (const char *)sqlite3_column_text(statement, 6),
      .payload_size = (size_t)sqlite3_column_bytes(statement, 6)};
  memcpy(row.id, sqlite3_column_blob(statement, 1), ID_SIZE);
  return row;
}

static void verify(const char *path) {
  sqlite3 *database = open_database(path, SQLITE_OPEN_FULLMUTEX);
  sqlite3_stmt *scan = prepare(
      database,
      "SELECT seq, event_id, stream, version, type, at, payload, hash FROM event ORDER BY seq");
  uint8_t chain[HASH_SIZE] = {0};
  long events = 0;
  double start = now();
  for (; next_row(scan); events++) {
    Row row = read_row(scan);
    extend_chain(chain, &row);
    if (memcmp(chain, sqlite3_column_blob(scan, 7), HASH_SIZE) != 0) fail("verify", "changed");
  }
  print_rate(events, now() - start, NULL);
}

int main(int count, char **arguments) {
  if (count == 5 && strcmp(arguments[1], "append") == 0) {
    append(arguments[2], atol(arguments[3]), atol(arguments[4]));
  } else if (count == 3 && strcmp(arguments[1], "verify") == 0) {
    verify(arguments[2]);
  } else {
    fail("usage", "plain-row append PATH BATCH EVENTS | verify PATH");
  }
  return 0;
}
