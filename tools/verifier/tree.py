"""Event format, "The tree"."""

import hashlib


def node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """The Merkle tree of RFC 6962, grown leaf by leaf."""

    def __init__(self):
        self.size = 0
        self.frontier = []  # the full subtrees that make up `size`, largest first
        self.subtrees = {}  # (level, number) -> root, for the levels that a book stores

    def grow(self, leaf):
        self.size += 1
        root, level, rest = leaf, 0, self.size
        while rest % 2 == 0:
            root, level, rest = node(self.frontier.pop(), root), level + 1, rest // 2
            if level % 8 == 0:
                self.subtrees[level, rest - 1] = root
        self.frontier.append(root)

    def root(self):
        if not self.frontier:
            return hashlib.sha256(b"").digest()
        root = self.frontier[-1]
        for previous in reversed(self.frontier[:-1]):
            root = node(previous, root)
        return root
