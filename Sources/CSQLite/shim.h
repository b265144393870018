#pragma once
#include <sqlite3.h>

// sqlite3_db_config is variadic: Swift cannot call it.
static inline int gatebook_keep_wal_on_close(sqlite3 *database) {
  int set = 0;
  int status = sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &set);
  return status == SQLITE_OK && set == 1 ? SQLITE_OK : SQLITE_ERROR;
}

// SQLite casts -1 to a function pointer: Swift cannot express it.
static inline sqlite3_destructor_type gatebook_transient(void) { return SQLITE_TRANSIENT; }
