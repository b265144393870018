#include "state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  char *start;
  size_t used;
} Text;

__attribute__((format(printf, 2, 3))) static void put(Text *text, const char *format, ...) {
  va_list values;
  va_start(values, format);
  text->used += (size_t)vsnprintf(
      text->start + text->used, STATE_SIZE - text->used, format, values);
  va_end(values);
}

static void enter_active(State *state, int64_t position, int64_t at) {
  state->since = at;
  state->cause = position;
  state->verified = position;
  state->verified_at = at;
}

void account_added(State *state, int64_t position, int64_t at) {
  state->added = state->person = state->used = state->cause = position;
  state->since = at;
}

void login_succeeded(State *state, int64_t position, int64_t at) {
  state->started = at;
  state->person = state->used = position;
  refresh_succeeded(state, position, at, 1);
  state->renewed_boot = 0;
}

void refresh_started(State *state, int64_t position, int64_t number, int64_t deadline) {
  state->intent.position = position;
  state->intent.generation = number;
  state->intent.attempt = 1;
  state->intent.deadline = deadline;
}

void refresh_succeeded(State *state, int64_t position, int64_t at, int64_t number) {
  enter_active(state, position, at);
  state->intent.position = 0;
  state->renewed_at = at;
  state->renewed_boot = state->generation = number;
}

void session_verified(State *state, int64_t position, int64_t at) {
  enter_active(state, position, at);
}

size_t write_account(const State *state, char text[STATE_SIZE]) {
  Text out = {text, 0};
  put(&out, "{\"added\":%" PRId64 ",\"cause\":%" PRId64, state->added, state->cause);
  put(&out, ",\"generation\":%" PRId64, state->generation);
  if (state->intent.position) {
    put(&out, ",\"intent\":{\"attempt\":%" PRId64, state->intent.attempt);
    put(&out, ",\"deadline\":%" PRId64, state->intent.deadline);
    put(&out, ",\"generation\":%" PRId64, state->intent.generation);
    put(&out, ",\"position\":%" PRId64 "}", state->intent.position);
  }
  put(&out, ",\"method\":\"http\",\"person\":%" PRId64, state->person);
  put(&out, ",\"position\":%" PRId64, state->position);
  put(&out, ",\"renewed\":{\"boot\":%" PRId64, state->renewed_boot);
  put(&out, ",\"wall\":%" PRId64 "}", state->renewed_at);
  put(&out, ",\"revision\":%" PRId64 ",\"saved\":false", state->revision);
  put(&out, ",\"server\":\"https://bench.example\",\"session\":\"%s\"", state->session_text);
  put(&out, ",\"since\":%" PRId64 ",\"started\":%" PRId64, state->since, state->started);
  put(&out, ",\"state\":\"active\",\"used\":%" PRId64, state->used);
  put(&out, ",\"verified\":%" PRId64, state->verified);
  put(&out, ",\"verifiedAt\":%" PRId64 "}", state->verified_at);
  return out.used;
}

size_t write_session(const State *state, char text[STATE_SIZE]) {
  Text out = {text, 0};
  put(&out, "{\"account\":\"%s\",\"generation\":%" PRId64, state->id_text, state->generation);
  put(&out, ",\"method\":\"http\",\"position\":%" PRId64, state->position);
  put(&out, ",\"started\":%" PRId64 ",\"state\":\"active\"}", state->started);
  return out.used;
}

typedef struct {
  uint8_t *start;
  size_t used, flags;
  int flag_count;
} Packed;

static void put_flag(Packed *packed, bool flag) {
  if (packed->flag_count % 8 == 0) {
    packed->flags = packed->used;
    packed->start[packed->used++] = 0;
  }
  packed->start[packed->flags] |= (uint8_t)(flag << packed->flag_count++ % 8);
}

static void put_number(Packed *packed, int64_t number) {
  uint64_t rest = (uint64_t)number << 1 ^ (uint64_t)(number >> 63);
  for (; rest >= 0x80; rest >>= 7) packed->start[packed->used++] = (uint8_t)rest | 0x80;
  packed->start[packed->used++] = (uint8_t)rest;
}

static void put_bytes(Packed *packed, const void *bytes, size_t count) {
  memcpy(packed->start + packed->used, bytes, count);
  packed->used += count;
}

static void put_member(Packed *packed, int64_t number) {
  put_flag(packed, true);
  put_number(packed, number);
}

static void put_text(Packed *packed, const char *text) {
  put_member(packed, (int64_t)strlen(text));
  put_bytes(packed, text, strlen(text));
}

// Members that the accounts of this program never have.
static void skip(Packed *packed, int count) {
  while (count-- > 0) put_flag(packed, false);
}

size_t pack_account(const State *state, uint8_t bytes[STATE_SIZE]) {
  Packed out = {bytes, 0, 0, 0};
  put_member(&out, state->added);
  skip(&out, 1);  // attributes
  put_member(&out, state->cause);
  skip(&out, 2);  // deferral, expires
  put_member(&out, state->generation);
  put_flag(&out, state->intent.position != 0);
  if (state->intent.position) {
    put_member(&out, state->intent.attempt);
    put_member(&out, state->intent.deadline);
    put_member(&out, state->intent.generation);
    put_member(&out, state->intent.position);
  }
  skip(&out, 1);  // label
  put_text(&out, "http");
  skip(&out, 5);  // offline, offset, open, outbox, passwords
  put_member(&out, state->person);
  put_member(&out, state->position);
  skip(&out, 2);  // reason, renewable
  put_flag(&out, true);
  put_member(&out, state->renewed_boot);
  skip(&out, 3);  // bootID, jumped, offset
  put_member(&out, state->renewed_at);
  put_member(&out, state->revision);
  put_flag(&out, true);
  put_flag(&out, false);  // nothing saved
  skip(&out, 1);          // savedUse
  put_text(&out, "https://bench.example");
  put_flag(&out, true);
  put_bytes(&out, state->session, ID_SIZE);
  put_member(&out, state->since);
  put_member(&out, state->started);
  put_text(&out, "active");
  skip(&out, 1);  // unanswered
  put_member(&out, state->used);
  put_member(&out, state->verified);
  put_member(&out, state->verified_at);
  return out.used;
}
