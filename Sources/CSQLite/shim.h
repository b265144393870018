#pragma once
#include <sqlite3.h>

// sqlite3_db_config is variadic: Swift cannot call it.
static inline int gatebook_keep_wal_on_close(sqlite3 *database) {
  int set = 0;
  int status = sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &set);
  return status == SQLITE_OK && set == 1 ? SQLITE_OK : SQLITE_ERROR;
}

// The header of the WAL's index, 48 bytes that SQLite shares between processes and writes anew at
// each commit (https://sqlite.org/walformat.html, "The WAL-Index Header"); NULL where there is none.
// It stays where it is as long as the connection is open. Only for a connection in WAL mode that
// has read: for another one SQLite would make the index.
static inline const void *gatebook_wal_header(sqlite3 *database) {
  sqlite3_file *file = 0;
  void volatile *region = 0;
  int status = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (status != SQLITE_OK || !file || !file->pMethods) return 0;
  if (file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
  status = file->pMethods->xShmMap(file, 0, 32768, 0, &region);
  return status == SQLITE_OK ? (const void *)region : 0;
}

// Another process may write while this one reads.
static inline unsigned long long gatebook_load(const void *words, int index) {
  return __atomic_load_n((const unsigned long long *)words + index, __ATOMIC_ACQUIRE);
}

// SQLite casts -1 to a function pointer: Swift cannot express it.
static inline sqlite3_destructor_type gatebook_transient(void) { return SQLITE_TRANSIENT; }
