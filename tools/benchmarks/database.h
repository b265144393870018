// SQLite, where every failure ends the program.
#pragma once
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Opens a database with a WAL that is synced at every commit.
//
// `threading` is SQLITE_OPEN_FULLMUTEX, what programs get that ask for nothing, or
// SQLITE_OPEN_NOMUTEX, which is what Gatebook asks for.
sqlite3 *open_database(const char *path, int threading);

void execute(sqlite3 *database, const char *sql);

sqlite3_stmt *prepare(sqlite3 *database, const char *sql);

// Runs a statement that brings no row and makes it ready again.
void run(sqlite3_stmt *statement);

// Steps a statement; whether there is a row.
bool next_row(sqlite3_stmt *statement);

// Binds bytes that stay where they are until the statement has run.
void bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, size_t count);

// Binds a text that stays where it is until the statement has run.
void bind_text(sqlite3_stmt *statement, int index, const char *text, size_t count);
