// SHA-256 with one context for all hashes of the program.
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { HASH_SIZE = 32 };

void hash(const void *bytes, size_t count, uint8_t digest[HASH_SIZE]);
