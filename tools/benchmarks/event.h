// The canonical bytes of an event, as the document "Event format" lays them out.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ID_SIZE = 16 };

// Bytes that stand elsewhere; start is NULL where there are none.
typedef struct {
  const void *start;
  size_t count;
} Bytes;

// Bytes of its own; used again from event to event.
typedef struct {
  uint8_t *start;
  size_t count;
  size_t capacity;
} Buffer;

typedef struct {
  int64_t position;
  const uint8_t *id;
  const uint8_t *account;  // NULL in the book's own stream
  int64_t revision;
  const uint8_t *session;  // NULL without one
  Bytes kind;
  int64_t version;
  int64_t at;
  int64_t cause;  // 0 without one
  Bytes program;
  Bytes program_version;
  const uint8_t *installation;
  int64_t process;
  Bytes data;
  Bytes sealed;
} Event;

void clear(Buffer *buffer);
void add_byte(Buffer *buffer, uint8_t byte);
void add_bytes(Buffer *buffer, const void *bytes, size_t count);
void add_number(Buffer *buffer, uint64_t number, size_t size);

// Writes 00 and the canonical bytes: what the leaf is the SHA-256 of.
void write_leaf_input(Buffer *buffer, const Event *event);
