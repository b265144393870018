#include "state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

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
