// The Merkle tree of RFC 6962 section 2.1, kept as the roots of the full subtrees it is made of.
#pragma once
#include <stdint.h>

#include "hash.h"

enum { TREE_LEVELS = 63 };

typedef struct {
  int64_t size;
  // By level; there is one for each 1 bit of the size.
  uint8_t roots[TREE_LEVELS][HASH_SIZE];
} Tree;

// Told of each completed subtree whose level is a multiple of 8.
typedef void (*Completed)(
    void *context, int level, int64_t number, const uint8_t root[HASH_SIZE]);

// Adds the next leaf; `completed` may be NULL.
void add_leaf(Tree *tree, const uint8_t leaf[HASH_SIZE], Completed completed, void *context);

// The root over all leaves; there must be one at least.
void tree_root(const Tree *tree, uint8_t root[HASH_SIZE]);

// Writes the roots as `head.frontier` holds them, the largest subtree first; returns their bytes.
int64_t tree_frontier(const Tree *tree, uint8_t frontier[TREE_LEVELS * HASH_SIZE]);
