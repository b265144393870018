// Recomputes every leaf of a book and the root over them, in one thread, and prints how fast.
#pragma once
#include <stdbool.h>

// With `structure` SQLite also checks its pages and indexes, as a whole verification must.
void verify_book(const char *path, bool structure);
