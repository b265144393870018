#include "event.h"

#include <stdlib.h>
#include <string.h>

#include "measure.h"

static void reserve(Buffer *buffer, size_t more) {
  if (buffer->count + more <= buffer->capacity) return;
  buffer->capacity = 2 * (buffer->count + more);
  buffer->start = realloc(buffer->start, buffer->capacity);
  if (!buffer->start) fail("event", "out of memory");
}

void clear(Buffer *buffer) { buffer->count = 0; }

void add_byte(Buffer *buffer, uint8_t byte) {
  reserve(buffer, 1);
  buffer->start[buffer->count++] = byte;
}

void add_bytes(Buffer *buffer, const void *bytes, size_t count) {
  reserve(buffer, count);
  memcpy(buffer->start + buffer->count, bytes, count);
  buffer->count += count;
}

// Big end first.
void add_number(Buffer *buffer, uint64_t number, size_t size) {
  uint8_t bytes[8];
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(number >> (8 * (size - 1 - i)));
  add_bytes(buffer, bytes, size);
}

static void add_counted(Buffer *buffer, Bytes bytes, size_t size_of_count) {
  add_number(buffer, bytes.count, size_of_count);
  add_bytes(buffer, bytes.start, bytes.count);
}

// 00 for nothing, else 01 and what there is.
static bool add_presence(Buffer *buffer, bool is_there) {
  add_byte(buffer, is_there);
  return is_there;
}

void write_leaf_input(Buffer *buffer, const Event *event) {
  clear(buffer);
  add_byte(buffer, 0x00);
  add_byte(buffer, 0x01);
  add_number(buffer, (uint64_t)event->position, 8);
  add_bytes(buffer, event->id, ID_SIZE);
  if (add_presence(buffer, event->account)) add_bytes(buffer, event->account, ID_SIZE);
  add_number(buffer, (uint64_t)event->revision, 8);
  if (add_presence(buffer, event->session)) add_bytes(buffer, event->session, ID_SIZE);
  add_counted(buffer, event->kind, 2);
  add_number(buffer, (uint64_t)event->version, 2);
  add_number(buffer, (uint64_t)event->at, 8);
  if (add_presence(buffer, event->cause)) add_number(buffer, (uint64_t)event->cause, 8);
  add_counted(buffer, event->program, 2);
  add_counted(buffer, event->program_version, 2);
  add_bytes(buffer, event->installation, ID_SIZE);
  add_number(buffer, (uint64_t)event->process, 8);
  add_counted(buffer, event->data, 4);
  if (add_presence(buffer, event->sealed.start)) add_counted(buffer, event->sealed, 4);
}
