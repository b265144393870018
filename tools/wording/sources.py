"""Which files are read, and how."""

import os

from . import markdown, swift

# Its blocks show what `gatebook why` prints.
SHOWS_TEXTS = {"Situations.md"}


def passages(root, paths=None):
    for path in paths if paths is not None else sorted(files(root)):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        if path.endswith(".swift"):
            yield from swift.passages(path, text)
        else:
            yield from markdown.passages(
                path, enumerate(text.split("\n"), 1), os.path.basename(path) in SHOWS_TEXTS)


def files(root):
    yield "README.md"
    for tree in ("Sources", "Tests"):
        for folder, folders, names in os.walk(os.path.join(root, tree)):
            folders[:] = [name for name in folders if not name.startswith(".")]
            place = os.path.relpath(folder, root)
            yield from (os.path.join(place, name) for name in names
                        if name.endswith(".swift") or (name.endswith(".md") and place.endswith(".docc")))
