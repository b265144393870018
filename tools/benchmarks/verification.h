// Recomputes every leaf of a book and the root over them, in one thread, and prints how fast.
#pragma once

void verify_book(const char *path);
