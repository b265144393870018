"""Links in the README and in the articles, as they are written."""

import os
import re
import urllib.parse

CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
FENCE = re.compile(r" {0,3}(```+|~~~+)")
HEADING = re.compile(r" {0,3}#{1,6} +(.*?)(?: +#+)?$")
# [text](target), ![text](target "title") and [text](<target>); the text may hold an image of its own.
INLINE = re.compile(r"\]\(\s*(?:<([^>]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+[\"'(][^)]*)?\s*\)")
ANGLE = re.compile(r"<((?:https?|doc|mailto):[^>\s]+)>")
DEFINITION = re.compile(r"^ {0,3}\[([^\]]+)\]:\s*(\S+)", re.MULTILINE)
FULL = re.compile(r"\[([^\[\]]+)\]\[([^\[\]]*)\]")
SKIPPED = {"__pycache__", "node_modules"}


def check(root, site, findings):
    documents = {}
    for path in sorted(files(root)):
        with open(path, encoding="utf-8") as file:
            documents[path] = Document(path, file.read())
    for path, document in documents.items():
        for line, target in document.links():
            source = f"{os.path.relpath(path, root)}:{line}"
            if findings.see(source, target):
                continue
            reason = problem(root, documents, document, target, site)
            if reason:
                findings.blame(source, target, reason)


def files(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in SKIPPED]
        yield from (os.path.join(folder, name) for name in names if name.endswith(".md"))


def problem(root, documents, document, target, site):
    """Why a link is dead, or None."""
    if target.startswith("``"):
        return site and site.symbol_problem(target.strip("`"))
    path, _, anchor = target.partition("#")
    if document.is_article:
        return article_problem(documents, document, target, path, anchor, site)
    if path.startswith("/"):
        return "a link in the repository starts at the file that holds it"
    found = os.path.normpath(os.path.join(
        os.path.dirname(document.path), urllib.parse.unquote(path))) if path else document.path
    if os.path.relpath(found, root).startswith(".."):
        return "it leads out of the repository"
    if not os.path.exists(found):
        return "there is no such file"
    if anchor and found in documents and anchor not in documents[found].anchors:
        return "the file has no such heading"
    return None


def article_problem(documents, document, target, path, anchor, site):
    """Links of an article are read by DocC: to an article, to a heading here, or to a picture beside it."""
    if path.startswith("doc:"):
        name = path[len("doc:"):].strip("/").rpartition("/")[2]
        article = os.path.join(os.path.dirname(document.path), f"{name}.md")
        if site:
            return site.article_problem(name, anchor)
        return None if article in documents else "there is no such article"
    if not path and anchor:
        return site and site.article_problem(document.name, anchor)
    if path in documents or path.endswith(".md"):
        return f"an article is named <doc:{os.path.basename(path).removesuffix('.md')}>"
    folder = os.path.dirname(document.path)
    pictures = {name for _, _, names in os.walk(folder) for name in names}
    if path in pictures or path in {os.path.splitext(name)[0] for name in pictures}:
        return None
    return "an article links to <doc:Article>, to #a-heading, to a picture of its catalog or to a server"


class Document:
    def __init__(self, path, text):
        self.path = path
        self.name = os.path.basename(path).removesuffix(".md")
        self.is_article = os.path.dirname(path).endswith(".docc")
        self._text, self._symbols = without_code(text, self.is_article)

    def links(self):
        """The line and the target of each link, in their order."""
        found = [(match.start(), match[1] or match[2] or "") for match in INLINE.finditer(self._text)]
        found += [(match.start(), match[1]) for match in ANGLE.finditer(self._text)]
        definitions = {match[1].lower(): match[2] for match in DEFINITION.finditer(self._text)}
        found += [(match.start(), match[2]) for match in DEFINITION.finditer(self._text)]
        found += [(match.start(), f"[{match[2] or match[1]}]") for match in FULL.finditer(self._text)
                  if (match[2] or match[1]).lower() not in definitions]
        return sorted((self._text.count("\n", 0, start) + 1, target)
                      for start, target in found + self._symbols)

    @property
    def anchors(self):
        """The headings as GitHub names them in URLs."""
        names = {}
        for line in self._text.split("\n"):
            match = HEADING.match(line)
            if not match:
                continue
            text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", match[1])
            name = re.sub(r"[^\w\- ]", "", text.replace("\0", "").lower()).replace(" ", "-")
            names[name] = names.get(name, -1) + 1
        return {name if not index else f"{name}-{index}"
                for name, count in names.items() for index in range(count + 1)}


def without_code(text, keeps_symbols):
    """The text with blanks in place of code, so that all else keeps its line; and the symbols linked to."""
    lines, fence = [], None
    for line in text.split("\n"):
        match = FENCE.match(line)
        if fence is None and match:
            fence = match[1]
        elif fence is not None:
            if match and match[1].startswith(fence) and not line.strip(" `~"):
                fence = None
        else:
            lines.append(line)
            continue
        lines.append("")
    symbols = []

    def blank(match):
        if keeps_symbols and match[1] == "``" and not match[2].startswith(" "):
            symbols.append((match.start(), f"``{match[2]}``"))
        # A heading's code is part of its name; a link's or a line's end is not looked for in it.
        return re.sub(r"[\[\]()<>#!`]", "\0", match[0])

    return CODE.sub(blank, re.sub(r"<!--.*?-->", lambda match: re.sub(r"[^\n]", " ", match[0]),
                                  "\n".join(lines), flags=re.DOTALL)), symbols
