#include "verification.h"

#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "event.h"
#include "measure.h"
#include "tree.h"

// What the numbers in the rows stand for, by number; a book of a benchmark has few of each.
enum { NAMES = 4096 };

typedef struct {
  Bytes kinds[NAMES], programs[NAMES], versions[NAMES];
  Bytes accounts[NAMES], sessions[NAMES], installations[NAMES];
} Names;

static Bytes column(sqlite3_stmt *row, int index) {
  const void *start = sqlite3_column_blob(row, index);
  return (Bytes){start, (size_t)sqlite3_column_bytes(row, index)};
}

static Bytes copy(Bytes bytes) {
  void *start = malloc(bytes.count + 1);
  if (!start) fail("verify", "out of memory");
  if (bytes.count) memcpy(start, bytes.start, bytes.count);
  return (Bytes){start, bytes.count};
}

// Reads rows of a number and up to three names, each into a table of its own.
static void read_names(
    sqlite3 *database, const char *sql, Bytes *first, Bytes *second, Bytes *third) {
  Bytes *columns[] = {first, second, third};
  sqlite3_stmt *rows = prepare(database, sql);
  while (next_row(rows)) {
    int64_t number = sqlite3_column_int64(rows, 0);
    if (number < 0 || number >= NAMES) fail("verify", "too many names");
    for (int i = 0; i < sqlite3_column_count(rows) - 1; i++) {
      columns[i][number] = copy(column(rows, i + 1));
    }
  }
  sqlite3_finalize(rows);
}

static Names *read_all_names(sqlite3 *database) {
  Names *names = calloc(1, sizeof *names);
  read_names(database, "SELECT number, name FROM kind", names->kinds, NULL, NULL);
  read_names(database, "SELECT number, id FROM account", names->accounts, NULL, NULL);
  read_names(database, "SELECT number, id FROM session", names->sessions, NULL, NULL);
  read_names(
      database, "SELECT number, program, version, installation FROM writer", names->programs,
      names->versions, names->installations);
  return names;
}

static Bytes named(const Bytes *names, int64_t number) {
  if (number < 0 || number >= NAMES) fail("verify", "a number leads nowhere");
  return names[number];
}

static Event read_event(sqlite3_stmt *row, const Names *names) {
  int64_t writer = sqlite3_column_int64(row, 9);
  return (Event){
      .position = sqlite3_column_int64(row, 0),
      .id = column(row, 1).start,
      .account = named(names->accounts, sqlite3_column_int64(row, 2)).start,
      .revision = sqlite3_column_int64(row, 3),
      .session = named(names->sessions, sqlite3_column_int64(row, 4)).start,
      .kind = named(names->kinds, sqlite3_column_int64(row, 5)),
      .version = sqlite3_column_int64(row, 6),
      .at = sqlite3_column_int64(row, 7),
      .cause = sqlite3_column_int64(row, 8),
      .program = named(names->programs, writer),
      .program_version = named(names->versions, writer),
      .installation = named(names->installations, writer).start,
      .process = sqlite3_column_int64(row, 10),
      .data = column(row, 11),
      .sealed = column(row, 12)};
}

static void check_root(sqlite3 *database, const Tree *tree) {
  uint8_t root[HASH_SIZE];
  tree_root(tree, root);
  sqlite3_stmt *head = prepare(database, "SELECT root FROM head");
  if (!next_row(head) || memcmp(root, sqlite3_column_blob(head, 0), HASH_SIZE) != 0) {
    fail("verify", "the root differs");
  }
}

// One number for a set of index entries, in whatever order they are met.
typedef struct {
  uint64_t ids, streams;
} Entries;

static uint64_t mixed(uint64_t first, uint64_t second, int64_t position) {
  uint64_t sum = (first ^ (uint64_t)position) * 0x9E3779B97F4A7C15u;
  return ((sum ^ (sum >> 32)) + second) * 0xC2B2AE3D27D4EB4Fu;
}

static void add_id(Entries *entries, const void *id, int64_t position) {
  uint64_t words[2];
  memcpy(words, id, sizeof words);
  entries->ids += mixed(words[0], words[1], position);
}

static void add_stream(Entries *entries, int64_t account, int64_t revision, int64_t position) {
  entries->streams += mixed((uint64_t)account, (uint64_t)revision, position);
}

static Entries read_indexes(sqlite3 *database) {
  Entries entries = {0};
  sqlite3_stmt *ids =
      prepare(database, "SELECT id, position FROM event INDEXED BY event_id ORDER BY id");
  while (next_row(ids)) add_id(&entries, column(ids, 0).start, sqlite3_column_int64(ids, 1));
  sqlite3_stmt *streams = prepare(
      database, "SELECT account, revision, position FROM event INDEXED BY event_stream"
                " ORDER BY account, revision");
  while (next_row(streams)) {
    add_stream(
        &entries, sqlite3_column_int64(streams, 0), sqlite3_column_int64(streams, 1),
        sqlite3_column_int64(streams, 2));
  }
  sqlite3_finalize(ids);
  sqlite3_finalize(streams);
  return entries;
}

// As Gatebook checks it: the pages, the indexes of small tables, and those of `event` by reading
// each in its own order.
static void check_structure(sqlite3 *database, const Entries *found) {
  static const char *const CHECKS[] = {
      "PRAGMA quick_check", "PRAGMA integrity_check(account)", "PRAGMA integrity_check(kind)",
      "PRAGMA integrity_check(session)", "PRAGMA integrity_check(writer)"};
  for (size_t i = 0; i < sizeof CHECKS / sizeof *CHECKS; i++) {
    sqlite3_stmt *check = prepare(database, CHECKS[i]);
    if (!next_row(check) || strcmp((const char *)sqlite3_column_text(check, 0), "ok") != 0) {
      fail("verify", "the structure is damaged");
    }
    sqlite3_finalize(check);
  }
  Entries entries = read_indexes(database);
  if (entries.ids != found->ids || entries.streams != found->streams) {
    fail("verify", "an index does not match the events");
  }
}

void verify_book(const char *path, bool structure) {
  double start = now();
  sqlite3 *database = open_database(path, SQLITE_OPEN_NOMUTEX);
  Names *names = read_all_names(database);
  sqlite3_stmt *rows = prepare(
      database,
      "SELECT position, id, account, revision, session, kind, version, at, cause, writer,"
      " process, data, sealed, leaf FROM event ORDER BY position");
  Buffer input = {0};
  Tree tree = {0};
  Entries entries = {0};
  while (next_row(rows)) {
    uint8_t leaf[HASH_SIZE];
    Event event = read_event(rows, names);
    write_leaf_input(&input, &event);
    hash(input.start, input.count, leaf);
    if (memcmp(leaf, column(rows, 13).start, HASH_SIZE) != 0) fail("verify", "a leaf differs");
    add_leaf(&tree, leaf, NULL, NULL);
    if (structure) {
      add_id(&entries, event.id, event.position);
      add_stream(&entries, sqlite3_column_int64(rows, 2), event.revision, event.position);
    }
  }
  check_root(database, &tree);
  if (structure) check_structure(database, &entries);
  print_rate(tree.size, now() - start, NULL);
}
