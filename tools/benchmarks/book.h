// A book as Gatebook writes it: the same schema, events, leaves, tree, sealing and projections.
#pragma once
#include <openssl/evp.h>

#include "database.h"
#include "event.h"
#include "rollup.h"
#include "state.h"
#include "tree.h"

enum { ACCOUNTS = 20 };

typedef struct {
  State state;
  EVP_CIPHER_CTX *key;
  bool is_changed;
} Account;

typedef struct {
  sqlite3 *database;
  sqlite3_stmt *begin, *commit, *insert_event, *insert_subtree;
  sqlite3_stmt *update_head, *update_account, *update_session;
  uint8_t id[ID_SIZE];
  int64_t process;
  Account accounts[ACCOUNTS];
  Tree tree;
  Rollup rollup;
  Buffer sealed, associated, leaf_input;
} Book;

// Makes a book of 20 accounts, each logged in once, where no file may be.
//
// Its check value and public key are random bytes, its accounts' keys are not kept: it verifies, but
// no key opens it.
Book *make_book(const char *path, const char *schema_path);

void begin(Book *book);

// Records the event with a number: the same one as `BenchBook.event`.
void record_event(Book *book, long number);

// Writes the projections that changed and the head, then commits.
void commit(Book *book);
