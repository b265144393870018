#include "tree.h"

#include <string.h>

static void join(
    const uint8_t left[HASH_SIZE], const uint8_t right[HASH_SIZE], uint8_t node[HASH_SIZE]) {
  uint8_t input[1 + 2 * HASH_SIZE] = {0x01};
  memcpy(input + 1, left, HASH_SIZE);
  memcpy(input + 1 + HASH_SIZE, right, HASH_SIZE);
  hash(input, sizeof input, node);
}

void add_leaf(Tree *tree, const uint8_t leaf[HASH_SIZE], Completed completed, void *context) {
  uint8_t root[HASH_SIZE];
  memcpy(root, leaf, HASH_SIZE);
  int level = 0;
  while (tree->size >> level & 1) {
    join(tree->roots[level], root, root);
    level++;
    if (level % 8 == 0 && completed) completed(context, level, tree->size >> level, root);
  }
  memcpy(tree->roots[level], root, HASH_SIZE);
  tree->size++;
}

void tree_root(const Tree *tree, uint8_t root[HASH_SIZE]) {
  int level = __builtin_ctzll((uint64_t)tree->size);
  memcpy(root, tree->roots[level], HASH_SIZE);
  for (level++; tree->size >> level; level++) {
    if (tree->size >> level & 1) join(tree->roots[level], root, root);
  }
}

int64_t tree_frontier(const Tree *tree, uint8_t frontier[TREE_LEVELS * HASH_SIZE]) {
  int64_t used = 0;
  for (int level = TREE_LEVELS - 1; level >= 0; level--) {
    if (!(tree->size >> level & 1)) continue;
    memcpy(frontier + used, tree->roots[level], HASH_SIZE);
    used += HASH_SIZE;
  }
  return used;
}
