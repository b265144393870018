// The rows of the past: blocks of 256 events, what is counted of them, and snapshots of projections.
#pragma once
#include "database.h"

enum { BLOCK_SIZE = 256, SNAPSHOT_DISTANCE = 8 };

typedef struct {
  int64_t account, kind, at;
} CountedEvent;

typedef struct {
  sqlite3_stmt *insert_block, *select_blocks, *add_tally, *insert_snapshot;
  CountedEvent events[BLOCK_SIZE];
} Rollup;

void prepare_rollup(Rollup *rollup, sqlite3 *database);

// Takes the event at a position; the last one of a block writes its rows.
void count_event(Rollup *rollup, int64_t position, const CountedEvent *event);

// Writes what a projection's row would hold after the event at a position.
void keep_snapshot(
    Rollup *rollup, int64_t account, int64_t position, const uint8_t *state, size_t length);
