// The anchor of who only reads: opens a book and reads the rows that Gatebook reads.
//
//   read-book version                  prints a version
//   read-book accounts PATH [KEY]      prints the accounts; with a key file it also hashes that key
//   read-book newest PATH ROUNDS       the newest 100 events of an account
//   read-book window PATH ROUNDS       the events of one kind among 450 that follow each other
//   read-book totals PATH ROUNDS       the counters, and the events that no counter has yet
//   read-book proof PATH ROUNDS        the leaves and subtrees that prove an event
//   read-book open PATH ROUNDS         opens a book for writing and for reading, as a library does,
//                                      and reads the first account's state
//
// Nothing is decrypted and nothing is made of what is read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "hash.h"
#include "measure.h"

enum { BLOCK = 256, WINDOW = 450 };

static const char BOOK_ROW[] =
    "SELECT id, key_source, key_description, key_check, checkpoint_key FROM book";

static sqlite3 *open_to_read(const char *path) {
  sqlite3 *database = NULL;
  int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK) fail(path, "cannot be opened");
  return database;
}

// Reads all columns of all rows; returns how many rows there were.
static long read_rows(sqlite3_stmt *rows) {
  long count = 0;
  while (next_row(rows)) {
    for (int i = 0; i < sqlite3_column_count(rows); i++) sqlite3_column_blob(rows, i);
    count++;
  }
  sqlite3_reset(rows);
  return count;
}

static int64_t number(sqlite3 *database, const char *sql) {
  sqlite3_stmt *row = prepare(database, sql);
  if (!next_row(row)) fail("read-book", "the book is empty");
  int64_t number = sqlite3_column_int64(row, 0);
  sqlite3_finalize(row);
  return number;
}

static void hash_key(const char *path) {
  char text[128];
  uint8_t digest[HASH_SIZE];
  FILE *file = fopen(path, "rb");
  if (!file) fail(path, "cannot be read");
  hash(text, fread(text, 1, sizeof text, file), digest);
  fclose(file);
}

// The event that a state names as the one with the account's person.
static int64_t person_of(const char *state) {
  static const char NAME[] = "\"person\":";
  const char *found = state ? strstr(state, NAME) : NULL;
  return found ? strtoll(found + sizeof NAME - 1, NULL, 10) : 0;
}

static void print_accounts(const char *path, const char *key) {
  sqlite3 *database = open_to_read(path);
  if (key) hash_key(key);
  read_rows(prepare(database, BOOK_ROW));
  read_rows(prepare(database, "SELECT state FROM roster WHERE one = 1"));
  sqlite3_stmt *person = prepare(
      database, "SELECT e.id, k.name, e.version, a.id, e.sealed, a.key FROM event e"
                " JOIN kind k ON k.number = e.kind LEFT JOIN account a ON a.number = e.account"
                " WHERE e.position = ?1");
  sqlite3_stmt *accounts = prepare(
      database, "SELECT a.id, s.state FROM account_state s JOIN account a ON a.number = s.account"
                " ORDER BY s.account");
  while (next_row(accounts)) {
    const char *state = (const char *)sqlite3_column_text(accounts, 1);
    sqlite3_bind_int64(person, 1, person_of(state));
    read_rows(person);
    puts(state);
  }
  sqlite3_close_v2(database);
}

typedef struct {
  sqlite3 *database;
  sqlite3_stmt *rows, *rest;
  int64_t size, accounts;
  long rounds;
} Question;

static long ask_newest(Question *question, long round) {
  sqlite3_bind_int64(question->rows, 1, round % question->accounts + 1);
  return read_rows(question->rows);
}

static long ask_window(Question *question, long round) {
  int64_t position = question->size * (2 * round + 1) / (2 * question->rounds);
  sqlite3_bind_int64(question->rows, 1, position);
  sqlite3_bind_int64(question->rows, 2, position + WINDOW);
  return read_rows(question->rows);
}

static long ask_totals(Question *question, long round) {
  (void)round;
  sqlite3_bind_int64(question->rest, 1, question->size / BLOCK * BLOCK);
  return read_rows(question->rows) + read_rows(question->rest);
}

static long read_leaves(Question *question, int64_t start) {
  sqlite3_bind_int64(question->rows, 1, start);
  sqlite3_bind_int64(question->rows, 2, start + BLOCK);
  return read_rows(question->rows);
}

static long read_subtrees(Question *question, int64_t level, int64_t first, int64_t end) {
  sqlite3_bind_int64(question->rest, 1, level);
  sqlite3_bind_int64(question->rest, 2, first);
  sqlite3_bind_int64(question->rest, 3, end);
  return read_rows(question->rest);
}

// On each level what lies beside the event, and beside the end of the log.
static long ask_proof(Question *question, long round) {
  int64_t position = question->size * (2 * round + 1) / (2 * question->rounds);
  int64_t places[] = {position, question->size};
  long count = 0;
  for (int i = 0; i < 2; i++) count += read_leaves(question, places[i] / BLOCK * BLOCK);
  for (int level = 8; level <= 24; level += 8) {
    for (int i = 0; i < 2; i++) {
      int64_t block = places[i] >> (level + 8);
      if (i == 1 && block == places[0] >> (level + 8)) continue;
      count += read_subtrees(question, level, block * BLOCK, (block + 1) * BLOCK);
    }
  }
  return count;
}

static void ask(Question *question, long (*once)(Question *, long)) {
  Latencies latencies = make_latencies((size_t)question->rounds);
  double start = now();
  for (long round = 0; round < question->rounds; round++) {
    double begun = now();
    if (once(question, round) == 0) fail("read-book", "a question had no rows");
    add_latency(&latencies, now() - begun);
  }
  print_rate(question->rounds, now() - start, &latencies);
}

static long read_once(sqlite3 *database, const char *sql) {
  sqlite3_stmt *rows = prepare(database, sql);
  long count = read_rows(rows);
  sqlite3_finalize(rows);
  return count;
}

// Without this setting, the last connection removes the WAL when it closes.
static void keep_wal(sqlite3 *database) {
  if (sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL) != SQLITE_OK) {
    fail("read-book", sqlite3_errmsg(database));
  }
}

// Opens the two connections and closes them; returns how long it took until the state was read.
static double open_once(const char *path, const char *key) {
  double begun = now();
  sqlite3 *writer = NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &writer, flags, NULL) != SQLITE_OK) fail(path, "cannot be opened");
  hash_key(key);
  read_once(writer, BOOK_ROW);
  execute(writer, "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;"
                  "PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA mmap_size=0;"
                  "PRAGMA trusted_schema=OFF; PRAGMA cache_size=-16384");
  read_once(writer, "SELECT size, folds FROM head");
  sqlite3 *reader = open_to_read(path);
  keep_wal(writer);
  keep_wal(reader);
  execute(reader, "PRAGMA mmap_size=0; PRAGMA trusted_schema=OFF");
  read_once(reader, BOOK_ROW);
  read_once(reader, "SELECT state FROM roster WHERE one = 1");
  if (read_once(reader, "SELECT a.id, s.state FROM account_state s JOIN account a"
                        " ON a.number = s.account ORDER BY s.account LIMIT 1") == 0) {
    fail(path, "has no account");
  }
  double taken = now() - begun;
  sqlite3_close_v2(reader);
  sqlite3_close_v2(writer);
  return taken;
}

static void open_often(const char *path, long rounds) {
  char key[4096];
  snprintf(key, sizeof key, "%s.key", path);
  Latencies latencies = make_latencies((size_t)rounds);
  double start = now();
  for (long round = 0; round < rounds; round++) add_latency(&latencies, open_once(path, key));
  print_rate(rounds, now() - start, &latencies);
}

static void answer(const char *name, const char *path, long rounds) {
  sqlite3 *database = open_to_read(path);
  Question question = {.database = database, .rounds = rounds};
  if (rounds < 1) fail("usage", "there is one round at least");
  question.size = number(database, "SELECT size FROM head");
  question.accounts = number(database, "SELECT count(*) FROM account");
  if (strcmp(name, "newest") == 0) {
    question.rows = prepare(
        database, "SELECT * FROM event WHERE account = ?1 ORDER BY revision DESC LIMIT 100");
    ask(&question, ask_newest);
  } else if (strcmp(name, "window") == 0) {
    question.rows = prepare(
        database, "SELECT * FROM event WHERE position > ?1 AND position <= ?2 AND kind ="
                  " (SELECT number FROM kind WHERE name = 'session.verified')");
    ask(&question, ask_window);
  } else if (strcmp(name, "totals") == 0) {
    question.rows = prepare(database, "SELECT * FROM tally WHERE part = 0 AND number = 0");
    question.rest = prepare(database, "SELECT account, kind, at FROM event WHERE position > ?1");
    ask(&question, ask_totals);
  } else if (strcmp(name, "proof") == 0) {
    question.rows =
        prepare(database, "SELECT leaf FROM event WHERE position > ?1 AND position <= ?2");
    question.rest = prepare(
        database, "SELECT root FROM subtree WHERE level = ?1 AND number >= ?2 AND number < ?3");
    ask(&question, ask_proof);
  } else {
    fail(name, "is no question");
  }
}

int main(int count, char **arguments) {
  if (count == 2 && strcmp(arguments[1], "version") == 0) {
    printf("read-book 1, SQLite %s\n", sqlite3_libversion());
  } else if ((count == 3 || count == 4) && strcmp(arguments[1], "accounts") == 0) {
    print_accounts(arguments[2], count == 4 ? arguments[3] : NULL);
  } else if (count == 4 && strcmp(arguments[1], "open") == 0) {
    open_often(arguments[2], atol(arguments[3]));
  } else if (count == 4) {
    answer(arguments[1], arguments[2], atol(arguments[3]));
  } else {
    fail(
        "usage",
        "read-book version | accounts PATH [KEY] | newest|window|totals|proof|open PATH ROUNDS");
  }
  return 0;
}
