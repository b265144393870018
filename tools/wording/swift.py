"""Texts in Swift: string literals that are prose, comments, and names of tests that are sentences."""

import re

from . import markdown
from .passage import CODE, Passage

REGEX = re.compile(r"/(?![\s/*])(?:\\.|[^/\\\n])+/")
BEFORE_REGEX = re.compile(r"(?:[(,=:{\[]|\bof:|\breturn|\bin)\s*$")
OPENING = re.compile(r'(#*)("""|")')
PLAIN = re.compile(r'[^/"#()]+')
PLAIN_IN_LITERAL = re.compile(r'[^\\"#\n]+')
ESCAPES = {"n": "\n", "t": "\t", "0": "\0", "r": "\n"}
PROSE = re.compile(r"[^\W\d_]{2,}[,;]? [^\W\d_]{2,}")
# Languages of their own: what a database, a browser or a script reads.
FOREIGN = re.compile(
    r"\s*(?:(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|WITH|BEGIN|ATTACH|EXPLAIN|REPLACE|ANALYZE"
    r"|SAVEPOINT|ROLLBACK|RELEASE|WHERE|FROM|AND|ORDER|GROUP|JOIN|LEFT JOIN|UNION|VALUES)\b|[<{]|.*[;{]\s*$)")
# Lines of a script.
SCRIPT = re.compile(
    r"(?:[{};]|\b(?:then|fi|do|done|esac|else))\s*$"
    r"|^\s*(?:set|local|function|if|for|end|case|while|test) ")
ITEM = re.compile(r"\s*(?:[-*•]|\d+\.)\s")
# A line that is shorter was not broken for its length.
FULL_LINE = 60


def passages(path, text):
    """What a test says is data; only its comments and its name are read."""
    lines = text.split("\n")
    if not path.startswith("Tests/"):
        yield from literal_passages(path, text)
    yield from comment_passages(path, lines)
    yield from name_passages(path, lines)


def literal_passages(path, text):
    joined = None
    for start, end, literal in Reader(path, text).literals():
        if joined and re.fullmatch(r"\s*\+\s*", text[joined[0]:start]):
            for character, line in literal:
                joined[1].add(character, line)
            joined = (end, joined[1])
            continue
        if joined:
            yield from prose(path, joined[1])
        passage = Passage(path)
        for character, line in literal:
            passage.add(character, line)
        joined = (end, passage)
    if joined:
        yield from prose(path, joined[1])


def prose(path, literal):
    """The paragraphs of a literal that are prose: they have two words next to each other."""
    if FOREIGN.match(literal.text) and not re.match(r"\s*(?:With|From|And|Where|Left|Begin)\b", literal.text):
        return
    lines = literal.text.split("\n")
    if sum(bool(SCRIPT.search(line)) for line in lines) * 3 > len(lines):
        return
    passage, index = Passage(path), 0
    for number, line in enumerate(lines):
        if ITEM.match(line) or number and len(lines[number - 1]) < FULL_LINE:
            yield from paragraph(passage)
            passage = Passage(path)
        for _ in line + "\n":
            if index < len(literal.text):
                passage.add(literal.text[index], literal.line(index))
            index += 1
    yield from paragraph(passage)


def paragraph(passage):
    if PROSE.search(passage.text):
        yield from markdown.finish(passage)


class Reader:
    """Finds the string literals of a file, also those within the interpolations of others."""

    def __init__(self, path, text):
        self._path, self._text = path, text
        self._index, self._line = 0, 1
        self._found = []

    def literals(self):
        """Where each literal begins and ends, and its characters with their lines."""
        while self._index < len(self._text):
            self._step()
        return sorted(self._found, key=lambda found: found[0])

    def _take(self, count=1):
        taken = self._text[self._index:self._index + count]
        self._line += taken.count("\n")
        self._index += count
        return taken

    def _at(self, text):
        return self._text.startswith(text, self._index)

    def _step(self):
        if plain := PLAIN.match(self._text, self._index):
            self._take(len(plain[0]))
        elif self._at("//"):
            end = self._text.find("\n", self._index)
            self._take((end if end >= 0 else len(self._text)) - self._index)
        elif self._at("/*"):
            self._comment()
        elif match := OPENING.match(self._text, self._index):
            self._literal(match[1], match[2])
        elif self._at("/") and (match := REGEX.match(self._text, self._index)) and BEFORE_REGEX.search(
                self._text[max(0, self._index - 40):self._index]):
            self._take(len(match[0]))
        else:
            self._take()

    def _comment(self):
        depth = 0
        while self._index < len(self._text):
            if self._at("/*"):
                depth += 1
                self._take(2)
            elif self._at("*/"):
                depth -= 1
                self._take(2)
                if depth == 0:
                    return
            else:
                self._take()

    def _literal(self, hashes, quotes):
        start = self._index
        self._take(len(hashes + quotes))
        characters = []
        while self._index < len(self._text) and not self._at(quotes + hashes):
            line = self._line
            if plain := PLAIN_IN_LITERAL.match(self._text, self._index):
                characters += [(character, line) for character in self._take(len(plain[0]))]
            elif self._at("\\" + hashes):
                self._take(1 + len(hashes))
                if self._at("("):
                    self._interpolation()
                    characters.append((CODE, line))
                elif self._at("u{"):
                    end = self._text.index("}", self._index)
                    code = self._take(end + 1 - self._index)
                    characters.append((chr(int(code[2:-1], 16)), line))
                else:
                    escape = self._take()
                    characters.append((ESCAPES.get(escape, " " if escape == "\n" else escape), line))
            elif len(quotes) == 1 and self._at("\n"):
                break  # not a literal after all
            else:
                characters.append((self._take(), line))
        self._take(len(quotes + hashes))
        self._found.append((start, self._index, characters))

    def _interpolation(self):
        depth = 0
        while self._index < len(self._text):
            if self._at("("):
                depth += 1
                self._take()
            elif self._at(")"):
                depth -= 1
                self._take()
                if depth == 0:
                    return
            else:
                self._step()


NAME = re.compile(r"\bfunc `([^`]*)`")
# What a tool reads.
DIRECTIVE = re.compile(r"\s*// (?:swift-|MARK:)")


def comment_passages(path, lines):
    index = 0
    while index < len(lines):
        mark = comment_mark(lines[index])
        start = index
        while index < len(lines) and mark and comment_mark(lines[index]) == mark:
            index += 1
        yield from markdown.passages(path, [
            (number + 1, lines[number].lstrip()[len(mark):]) for number in range(start, index)])
        index += not mark


def comment_mark(line):
    """The mark of a line that is a comment; empty for any other line."""
    match = re.match(r"\s*(///|//)", line)
    return match[1] if match and not DIRECTIVE.match(line) else ""


def name_passages(path, lines):
    for number, line in enumerate(lines, 1):
        if match := NAME.search(line):
            yield from markdown.finish(markdown.begin(path, match[1], number))
