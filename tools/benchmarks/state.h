// The projections: what the events so far say about an account and its session.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

enum { HEX_SIZE = 2 * ID_SIZE + 1, STATE_SIZE = 1024 };

typedef struct {
  uint8_t id[ID_SIZE];
  uint8_t session[ID_SIZE];
  char id_text[HEX_SIZE];
  char session_text[HEX_SIZE];
  int64_t revision, position;
  int64_t added, person, used, cause, since, started, generation;
  int64_t verified, verified_at, renewed_at, renewed_boot;
  struct {
    int64_t position, generation, attempt, deadline;  // position is 0 when there is none
  } intent;
} State;

// What an event does to the state; `number` stands for its generation and boot time.
void account_added(State *state, int64_t position, int64_t at);
void login_succeeded(State *state, int64_t position, int64_t at);
void refresh_started(State *state, int64_t position, int64_t number, int64_t deadline);
void refresh_succeeded(State *state, int64_t position, int64_t at, int64_t number);
void session_verified(State *state, int64_t position, int64_t at);

// Writes the canonical JSON of a row of `account_state`; returns its length.
size_t write_account(const State *state, char text[STATE_SIZE]);

// Writes the same packed, as a snapshot holds it; returns its length.
size_t pack_account(const State *state, uint8_t bytes[STATE_SIZE]);

// Writes the canonical JSON of a row of `session_state`; returns its length.
size_t write_session(const State *state, char text[STATE_SIZE]);
