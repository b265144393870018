"""Prose of Markdown, in articles and in comments."""

import re

from .passage import CODE, Passage

FENCE = re.compile(r"\s*(```+|~~~+)(\S*)")
ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
HEADING = re.compile(r"\s*#{1,6}\s+")
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
ANGLE = re.compile(r"<(?:[a-z]+:|/?[a-zA-Z])[^<>]*>")
TARGET = re.compile(r"\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)|\]\[[^\]]*\]")
# Somebody else's sentence stays as it is.
QUOTATION = re.compile(r"\"[^\"]*(?:\s+[^\s\"]+){6}[^\"]*\"")
URL = re.compile(r"\bhttps?://\S*[^\s.,;:)]")
DEFINITION = re.compile(r"\s*\[[^\]]+\]:\s")


def passages(path, lines, reads_blocks=False):
    """The paragraphs, headings, list items and table cells of numbered lines.

    With reads_blocks also the lines of blocks that name no language: they show what people read."""
    current = None
    fence = None
    for number, line in lines:
        match = FENCE.match(line)
        if fence is not None:
            if match and match[1].startswith(fence[0]) and not match[2]:
                fence = None
            elif reads_blocks and not fence[1]:
                yield from finish(begin(path, line.strip(), number))
            continue
        if match:
            yield from finish(current)
            current, fence = None, (match[1], match[2])
            continue
        content = line.strip()
        if not content or content.startswith(("@", "<!--")) or DEFINITION.match(line):
            yield from finish(current)
            current = None
        elif content.startswith("|"):
            yield from finish(current)
            current = None
            for cell in cells(content):
                yield from finish(begin(path, cell, number))
        elif HEADING.match(line):
            yield from finish(current)
            current = None
            yield from finish(begin(path, HEADING.sub("", line), number))
        elif ITEM.match(line):
            yield from finish(current)
            current = begin(path, ITEM.sub("", line, count=1), number)
        elif current is None:
            current = begin(path, content.lstrip("> "), number)
        else:
            current.add("\n" + content.lstrip("> "), number)
    yield from finish(current)


def begin(path, text, number):
    passage = Passage(path)
    passage.add(text, number)
    return passage


def cells(row):
    """The cells of a table's row; a bar in code is no border."""
    hidden = SPAN.sub(lambda match: match[0].replace("|", "\0"), row.strip().strip("|"))
    for cell in re.split(r"(?<!\\)\|", hidden):
        if cell.strip(" :-"):
            yield cell.replace("\0", "|")


def finish(passage):
    """The passage without its marks, in place of which come blanks and code."""
    if passage is None:
        return
    for pattern in (SPAN, ANGLE, URL, QUOTATION):
        for match in pattern.finditer(passage.text):
            passage.replace(match.start(), match.end(), CODE * len(match[0]))
    for match in TARGET.finditer(passage.text):
        passage.replace(match.start(), match.end(), " " * len(match[0]))
    for match in re.finditer(r"!?\[|[*_]{1,3}(?=\w|\x01)|(?<=[\w\x01.?!:])[*_]{1,3}(?!\w)", passage.text):
        passage.replace(match.start(), match.end(), " " * len(match[0]))
    if passage.text.strip():
        yield passage
