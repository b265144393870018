#include "rollup.h"

#include <stdlib.h>

enum { BOOK, DAY, ACCOUNT };

static const int64_t DAY_LENGTH = 86400000000;

typedef struct {
  int64_t earliest, latest, kinds;
} Summary;

void prepare_rollup(Rollup *rollup, sqlite3 *database) {
  rollup->insert_block = prepare(database, "INSERT INTO block VALUES (?,?,?,?,?)");
  rollup->select_blocks = prepare(
      database, "SELECT earliest, latest, kinds FROM block"
                " WHERE level = 8 AND number >= ?1 AND number < ?1 + 256");
  rollup->add_tally = prepare(
      database, "INSERT INTO tally VALUES (?1, ?2, ?3, ?4)"
                " ON CONFLICT DO UPDATE SET events = events + ?4");
  rollup->insert_snapshot = prepare(database, "INSERT INTO snapshot VALUES (?,?,?)");
}

static void add(Summary *summary, int64_t earliest, int64_t latest, int64_t kinds) {
  if (earliest < summary->earliest) summary->earliest = earliest;
  if (latest > summary->latest) summary->latest = latest;
  summary->kinds |= kinds;
}

static void insert_block(Rollup *rollup, int level, int64_t number, const Summary *summary) {
  sqlite3_bind_int(rollup->insert_block, 1, level);
  sqlite3_bind_int64(rollup->insert_block, 2, number);
  sqlite3_bind_int64(rollup->insert_block, 3, summary->earliest);
  sqlite3_bind_int64(rollup->insert_block, 4, summary->latest);
  sqlite3_bind_int64(rollup->insert_block, 5, summary->kinds);
  run(rollup->insert_block);
}

static void add_tally(Rollup *rollup, int part, int64_t number, int64_t kind, int64_t count) {
  sqlite3_bind_int(rollup->add_tally, 1, part);
  sqlite3_bind_int64(rollup->add_tally, 2, number);
  sqlite3_bind_int64(rollup->add_tally, 3, kind);
  sqlite3_bind_int64(rollup->add_tally, 4, count);
  run(rollup->add_tally);
}

static int64_t of_book(const CountedEvent *event) {
  (void)event;
  return 0;
}
static int64_t of_day(const CountedEvent *event) { return event->at / DAY_LENGTH; }
static int64_t of_account(const CountedEvent *event) { return event->account; }

static int compare(const void *left, const void *right) {
  const CountedEvent *a = left, *b = right;
  if (a->account != b->account) return a->account < b->account ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  return (a->at > b->at) - (a->at < b->at);
}

// Adds one part of the counters: a row for each kind and number that the block has.
static void count_part(Rollup *rollup, int part, int64_t (*number)(const CountedEvent *)) {
  struct {
    int64_t number, kind, count;
  } rows[BLOCK_SIZE];
  int rows_count = 0;
  for (int i = 0; i < BLOCK_SIZE; i++) {
    const CountedEvent *event = &rollup->events[i];
    int row = rows_count;
    // Sorted events mostly belong to the row of the one before.
    while (row > 0 &&
           (rows[row - 1].number != number(event) || rows[row - 1].kind != event->kind)) {
      row--;
    }
    if (row > 0) {
      rows[row - 1].count++;
    } else {
      rows[rows_count].number = number(event);
      rows[rows_count].kind = event->kind;
      rows[rows_count++].count = 1;
    }
  }
  for (int i = 0; i < rows_count; i++) {
    add_tally(rollup, part, rows[i].number, rows[i].kind, rows[i].count);
  }
}

static void insert_upper_block(Rollup *rollup, int64_t number) {
  Summary summary = {INT64_MAX, INT64_MIN, 0};
  sqlite3_stmt *blocks = rollup->select_blocks;
  sqlite3_bind_int64(blocks, 1, number * BLOCK_SIZE);
  while (next_row(blocks)) {
    add(&summary, sqlite3_column_int64(blocks, 0), sqlite3_column_int64(blocks, 1),
        sqlite3_column_int64(blocks, 2));
  }
  sqlite3_reset(blocks);
  insert_block(rollup, 16, number, &summary);
}

void count_event(Rollup *rollup, int64_t position, const CountedEvent *event) {
  rollup->events[(position - 1) % BLOCK_SIZE] = *event;
  if (position % BLOCK_SIZE != 0) return;
  int64_t number = position / BLOCK_SIZE - 1;
  Summary summary = {INT64_MAX, INT64_MIN, 0};
  for (int i = 0; i < BLOCK_SIZE; i++) {
    const CountedEvent *counted = &rollup->events[i];
    add(&summary, counted->at, counted->at, INT64_C(1) << (counted->kind - 1) % 63);
  }
  insert_block(rollup, 8, number, &summary);
  qsort(rollup->events, BLOCK_SIZE, sizeof rollup->events[0], compare);
  count_part(rollup, BOOK, of_book);
  count_part(rollup, DAY, of_day);
  count_part(rollup, ACCOUNT, of_account);
  if ((number + 1) % BLOCK_SIZE == 0) insert_upper_block(rollup, number / BLOCK_SIZE);
}

void keep_snapshot(
    Rollup *rollup, int64_t account, int64_t position, const uint8_t *state, size_t length) {
  sqlite3_bind_int64(rollup->insert_snapshot, 1, account);
  sqlite3_bind_int64(rollup->insert_snapshot, 2, position);
  bind_bytes(rollup->insert_snapshot, 3, state, length);
  run(rollup->insert_snapshot);
}
