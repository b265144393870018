#include "database.h"

#include "measure.h"

static void check(sqlite3 *database, int status, int wanted) {
  if (status != wanted) fail("SQLite", sqlite3_errmsg(database));
}

sqlite3 *open_database(const char *path, int threading) {
  sqlite3 *database = NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | threading;
  int status = sqlite3_open_v2(path, &database, flags, NULL);
  check(database, status, SQLITE_OK);
  execute(database, "PRAGMA journal_mode=WAL");
  execute(database, "PRAGMA synchronous=FULL");
  execute(database, "PRAGMA cache_size=-16384");
  return database;
}

void execute(sqlite3 *database, const char *sql) {
  check(database, sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
}

sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement;
  int status = sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  check(database, status, SQLITE_OK);
  return statement;
}

void run(sqlite3_stmt *statement) {
  check(sqlite3_db_handle(statement), sqlite3_step(statement), SQLITE_DONE);
  sqlite3_reset(statement);
}

bool next_row(sqlite3_stmt *statement) {
  int status = sqlite3_step(statement);
  if (status != SQLITE_DONE) check(sqlite3_db_handle(statement), status, SQLITE_ROW);
  return status == SQLITE_ROW;
}

void bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, size_t count) {
  sqlite3_bind_blob(statement, index, bytes, (int)count, SQLITE_STATIC);
}

void bind_text(sqlite3_stmt *statement, int index, const char *text, size_t count) {
  sqlite3_bind_text(statement, index, text, (int)count, SQLITE_STATIC);
}
