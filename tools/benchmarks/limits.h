// What no verification and no fold of a book can go below, and prints it.
#pragma once

// Nanoseconds an event of each pass that a verification makes over a book: SQLite hands over the
// rows, or checks its pages, and nothing is done with them; as many bytes are hashed as the leaves
// and nodes have. `verify` and `fold` are the rates that would remain.
void print_limits(const char *path);
