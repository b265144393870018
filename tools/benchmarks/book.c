#include "book.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "seal.h"

typedef enum {
  BOOK_CREATED,
  ACCOUNT_ADDED,
  LOGIN_SUCCEEDED,
  REFRESH_STARTED,
  REFRESH_SUCCEEDED,
  SESSION_VERIFIED,
  KIND_COUNT
} Kind;

static const char *const KINDS[KIND_COUNT] = {
    "book.created",    "account.added",     "login.succeeded",
    "refresh.started", "refresh.succeeded", "session.verified"};

static const uint8_t INSTALLATION[ID_SIZE];

// An event before the book knows it; `account` counts from 0, -1 is the book's own stream.
typedef struct {
  Kind kind;
  int account;
  const char *data;
  const char *personal;
} Proposal;

static int64_t microseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

// RFC 9562 section 5.7: 48 bits of milliseconds, then random ones around version and variant.
static void make_id(uint8_t id[ID_SIZE], int64_t at) {
  random_bytes(id + 6, ID_SIZE - 6);
  for (int i = 0; i < 6; i++) id[i] = (uint8_t)(at / 1000 >> (40 - 8 * i));
  id[6] = 0x70 | (id[6] & 0x0F);
  id[8] = 0x80 | (id[8] & 0x3F);
}

static void write_hex(const uint8_t *bytes, int count, char *text) {
  for (int i = 0; i < count; i++) snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

static Bytes bytes_of(const char *text) { return (Bytes){text, strlen(text)}; }

static void insert_subtree(
    void *context, int level, int64_t number, const uint8_t root[HASH_SIZE]) {
  Book *book = context;
  sqlite3_bind_int(book->insert_subtree, 1, level);
  sqlite3_bind_int64(book->insert_subtree, 2, number);
  bind_bytes(book->insert_subtree, 3, root, HASH_SIZE);
  run(book->insert_subtree);
}

// Seals the personal facts of an event, bound to book, account, event, version and kind.
static Bytes seal_personal(Book *book, const Proposal *proposal, const uint8_t id[ID_SIZE]) {
  static const char PURPOSE[] = "gatebook/event";
  if (!proposal->personal) return (Bytes){0};
  Account *account = &book->accounts[proposal->account];
  clear(&book->associated);
  add_bytes(&book->associated, PURPOSE, sizeof PURPOSE);
  add_bytes(&book->associated, book->id, ID_SIZE);
  add_bytes(&book->associated, account->state.id, ID_SIZE);
  add_bytes(&book->associated, id, ID_SIZE);
  add_number(&book->associated, 1, 2);
  add_bytes(&book->associated, KINDS[proposal->kind], strlen(KINDS[proposal->kind]));
  Bytes associated = {book->associated.start, book->associated.count};
  seal(account->key, bytes_of(proposal->personal), associated, &book->sealed);
  return (Bytes){book->sealed.start, book->sealed.count};
}

static void insert_event(
    Book *book, const Proposal *proposal, const Event *event, const uint8_t leaf[HASH_SIZE]) {
  sqlite3_stmt *statement = book->insert_event;
  sqlite3_bind_int64(statement, 1, event->position);
  bind_bytes(statement, 2, event->id, ID_SIZE);
  sqlite3_bind_int(statement, 3, proposal->account + 1);
  sqlite3_bind_int64(statement, 4, event->revision);
  sqlite3_bind_null(statement, 5);
  if (event->session) sqlite3_bind_int(statement, 5, proposal->account + 1);
  sqlite3_bind_int(statement, 6, (int)proposal->kind + 1);
  sqlite3_bind_int64(statement, 7, event->version);
  sqlite3_bind_int64(statement, 8, event->at);
  sqlite3_bind_null(statement, 9);
  sqlite3_bind_int(statement, 10, 1);
  sqlite3_bind_int64(statement, 11, event->process);
  bind_text(statement, 12, event->data.start, event->data.count);
  bind_bytes(statement, 13, event->sealed.start, event->sealed.count);
  bind_bytes(statement, 14, leaf, HASH_SIZE);
  run(statement);
}

// Puts one event into the log and its leaf into the tree; returns the moment it happened at.
static int64_t record(Book *book, const Proposal *proposal) {
  uint8_t id[ID_SIZE], leaf[HASH_SIZE];
  Event event = {
      .position = book->tree.size + 1, .id = id, .revision = 1,
      .kind = bytes_of(KINDS[proposal->kind]), .version = 1, .at = microseconds(),
      .program = bytes_of("whole-work"), .program_version = bytes_of("1"),
      .installation = INSTALLATION, .process = book->process, .data = bytes_of(proposal->data)};
  make_id(id, event.at);
  if (proposal->account >= 0) {
    Account *account = &book->accounts[proposal->account];
    account->is_changed = true;
    account->state.position = event.position;
    event.revision = ++account->state.revision;
    event.account = account->state.id;
    event.session = account->state.session;
  }
  event.sealed = seal_personal(book, proposal, id);
  write_leaf_input(&book->leaf_input, &event);
  hash(book->leaf_input.start, book->leaf_input.count, leaf);
  insert_event(book, proposal, &event, leaf);
  add_leaf(&book->tree, leaf, insert_subtree, book);
  count_event(
      &book->rollup, event.position,
      &(CountedEvent){proposal->account + 1, (int64_t)proposal->kind + 1, event.at});
  return event.at;
}

void begin(Book *book) { run(book->begin); }

static void save_account(Book *book, int index) {
  char text[STATE_SIZE];
  Account *account = &book->accounts[index];
  sqlite3_bind_int(book->update_account, 1, index + 1);
  bind_text(book->update_account, 2, text, write_account(&account->state, text));
  run(book->update_account);
  sqlite3_bind_int(book->update_session, 1, index + 1);
  sqlite3_bind_int(book->update_session, 2, index + 1);
  bind_text(book->update_session, 3, text, write_session(&account->state, text));
  run(book->update_session);
  account->is_changed = false;
}

void commit(Book *book) {
  for (int i = 0; i < ACCOUNTS; i++) {
    if (book->accounts[i].is_changed) save_account(book, i);
  }
  uint8_t root[HASH_SIZE], frontier[TREE_LEVELS * HASH_SIZE];
  tree_root(&book->tree, root);
  sqlite3_bind_int64(book->update_head, 1, book->tree.size);
  bind_bytes(book->update_head, 2, root, HASH_SIZE);
  bind_bytes(book->update_head, 3, frontier, (size_t)tree_frontier(&book->tree, frontier));
  run(book->update_head);
  run(book->commit);
}

// Records the event with a number and lets it change the account's state.
static void fold_event(Book *book, long number) {
  int index = (int)(number % ACCOUNTS);
  State *state = &book->accounts[index].state;
  char data[128];
  int64_t at, deadline = 1800000000000000 + number;
  switch (number % 3) {
    case 0:
      snprintf(
          data, sizeof data,
          "{\"attempt\":1,\"deadline\":%" PRId64 ",\"generation\":%ld,\"trigger\":\"early\"}",
          deadline, number);
      record(book, &(Proposal){REFRESH_STARTED, index, data, NULL});
      return refresh_started(state, book->tree.size, number, deadline);
    case 1:
      snprintf(data, sizeof data, "{\"boot\":%ld,\"generation\":%ld}", number, number);
      at = record(
          book, &(Proposal){
                    REFRESH_SUCCEEDED, index, data,
                    "{\"greeting\":\"Welcome Ada Example!\",\"lastLoginIP\":\"192.0.2.17\"}"});
      return refresh_succeeded(state, book->tree.size, at, number);
    default:
      at = record(book, &(Proposal){SESSION_VERIFIED, index, "{}", "{\"by\":\"bench\"}"});
      return session_verified(state, book->tree.size, at);
  }
}

void record_event(Book *book, long number) {
  fold_event(book, number);
  const State *state = &book->accounts[number % ACCOUNTS].state;
  if (state->revision % SNAPSHOT_DISTANCE != 0) return;
  uint8_t bytes[STATE_SIZE];
  size_t length = pack_account(state, bytes);
  keep_snapshot(&book->rollup, number % ACCOUNTS + 1, book->tree.size, bytes, length);
}

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail(path, "cannot be read");
  char *text = calloc(1, 65536);
  size_t count = fread(text, 1, 65535, file);
  if (count == 0 || count == 65535) fail(path, "is empty or too large");
  fclose(file);
  return text;
}

// The settings that a book's writer has beyond those of `open_database`.
static void make_schema(Book *book, const char *schema_path) {
  execute(book->database, "PRAGMA secure_delete=ON");
  execute(book->database, "PRAGMA trusted_schema=OFF");
  char *schema = read_text(schema_path);
  execute(book->database, schema);
  execute(book->database, "PRAGMA application_id = 0x47415445");
  free(schema);
}

static void prepare_statements(Book *book) {
  sqlite3 *database = book->database;
  prepare_rollup(&book->rollup, database);
  book->begin = prepare(database, "BEGIN IMMEDIATE");
  book->commit = prepare(database, "COMMIT");
  book->insert_event =
      prepare(database, "INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  book->insert_subtree = prepare(database, "INSERT INTO subtree VALUES (?,?,?)");
  book->update_head =
      prepare(database, "UPDATE head SET size = ?1, root = ?2, frontier = ?3 WHERE one = 1");
  book->update_account = prepare(
      database, "INSERT INTO account_state VALUES (?1, ?2) ON CONFLICT DO UPDATE SET state = ?2");
  book->update_session = prepare(
      database, "INSERT INTO session_state VALUES (?1, ?2, ?3)"
                " ON CONFLICT DO UPDATE SET account = ?2, state = ?3");
}

// The first row and the first event, and the names that the numbers in the others stand for.
static void create(Book *book) {
  uint8_t check[16], checkpoint_key[32];
  char hex[2 * sizeof checkpoint_key + 1], data[256];
  random_bytes(check, sizeof check);
  random_bytes(checkpoint_key, sizeof checkpoint_key);
  sqlite3_stmt *row =
      prepare(book->database, "INSERT INTO book VALUES (1, ?1, 'file', '{}', ?2, ?3)");
  bind_bytes(row, 1, book->id, ID_SIZE);
  bind_bytes(row, 2, check, sizeof check);
  bind_bytes(row, 3, checkpoint_key, sizeof checkpoint_key);
  run(row);
  execute(
      book->database,
      "INSERT INTO head VALUES (1, 0, zeroblob(32), x'', 1);"
      "INSERT INTO writer VALUES (1, 'whole-work', '1', zeroblob(16))");
  sqlite3_stmt *kind = prepare(book->database, "INSERT INTO kind VALUES (?1, ?2)");
  for (int i = 0; i < KIND_COUNT; i++) {
    sqlite3_bind_int(kind, 1, i + 1);
    bind_text(kind, 2, KINDS[i], strlen(KINDS[i]));
    run(kind);
  }
  write_hex(checkpoint_key, sizeof checkpoint_key, hex);
  snprintf(
      data, sizeof data, "{\"checkpointKey\":\"%s\",\"keySource\":\"file\",\"schema\":1}", hex);
  record(book, &(Proposal){BOOK_CREATED, -1, data, NULL});
}

static void add_account(Book *book, int index) {
  Account *account = &book->accounts[index];
  random_bytes(account->state.id, ID_SIZE);
  random_bytes(account->state.session, ID_SIZE);
  write_hex(account->state.id, ID_SIZE, account->state.id_text);
  write_hex(account->state.session, ID_SIZE, account->state.session_text);
  account->key = make_key();
  sqlite3_stmt *row = prepare(book->database, "INSERT INTO account VALUES (?1, ?2, zeroblob(61))");
  sqlite3_bind_int(row, 1, index + 1);
  bind_bytes(row, 2, account->state.id, ID_SIZE);
  run(row);
  row = prepare(book->database, "INSERT INTO session VALUES (?1, ?2)");
  sqlite3_bind_int(row, 1, index + 1);
  bind_bytes(row, 2, account->state.session, ID_SIZE);
  run(row);
  Proposal added = {
      ACCOUNT_ADDED, index, "{\"method\":\"http\",\"server\":\"https://bench.example\"}",
      "{\"tenant\":\"\",\"user\":\"bench\",\"userID\":\"bench\"}"};
  Proposal login = {
      LOGIN_SUCCEEDED, index,
      "{\"boot\":0,\"evidence\":\"check\",\"generation\":1,\"method\":\"http\","
      "\"server\":\"https://bench.example\"}",
      NULL};
  int64_t at = record(book, &added);
  account_added(&account->state, book->tree.size, at);
  at = record(book, &login);
  login_succeeded(&account->state, book->tree.size, at);
}

Book *make_book(const char *path, const char *schema_path) {
  if (access(path, F_OK) == 0) fail(path, "is there already");
  Book *book = calloc(1, sizeof *book);
  book->database = open_database(path, SQLITE_OPEN_NOMUTEX);
  book->process = getpid();
  random_bytes(book->id, ID_SIZE);
  make_schema(book, schema_path);
  prepare_statements(book);
  begin(book);
  create(book);
  for (int i = 0; i < ACCOUNTS; i++) add_account(book, i);
  commit(book);
  return book;
}
