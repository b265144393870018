"""Links of the web site: those of the pages' data, of the index, and of the files that show them."""

import json
import os
import posixpath
import re
import urllib.parse

BASE = re.compile(r'var baseUrl = "([^"]*)"')
ATTRIBUTE = re.compile(r'\b(?:href|src)="([^"]*)"|\bcontent="\d+; *url=([^"]*)"')
STYLE = re.compile(r"url\(\s*[\"']?([^\"')]+)")

# What a link says to tell one function from others of its name: ``why(_:)-(AccountID)``.
OVERLOAD = re.compile(r"-(\(|>).*$")


class NotASite(Exception):
    pass


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.pages = {}  # by the path of their URL
        data = os.path.join(folder, "data")
        for path in files(data, ".json"):
            with open(path, encoding="utf-8") as file:
                self.pages["/" + os.path.relpath(path, data).removesuffix(".json")] = json.load(file)
        if not self.pages:
            raise NotASite(f"{folder} has no data folder with pages; tools/docs site makes one")
        self._anchors = {}

    def symbol_problem(self, link):
        """Why no page is about a symbol, or None. A page's name may say more, to tell it from others."""
        names = [OVERLOAD.sub("", name) for name in link.lower().strip("/").split("/")]
        for path in self.pages:
            parts = path.strip("/").split("/")[-len(names):]
            if len(parts) == len(names) and all(
                    part == name or part.startswith(f"{name}-") for part, name in zip(parts, names)):
                return None
        return "the site has no such symbol"

    def article_problem(self, name, anchor):
        path = next((path for path, page in self.pages.items()
                     if path.endswith(f"/{name.lower()}") and page["kind"] == "article"), None)
        path = path or next((path for path in self.pages if path.endswith(f"/{name.lower()}")), None)
        if path is None:
            return "the site has no such article"
        if anchor and anchor not in self.anchors(path):
            return "the article has no such heading"
        return None

    def anchors(self, path):
        if path not in self._anchors:
            self._anchors[path] = {
                node["anchor"] for node in nodes(self.pages[path]) if isinstance(node.get("anchor"), str)}
        return self._anchors[path]

    def check(self, findings):
        for path, page in self.pages.items():
            self._check_page(path, page, findings)
        self._check_index(findings)
        self._check_files(findings)

    def _check_page(self, path, page, findings):
        references = page.get("references", {})
        named = {node["identifier"] for node in nodes({**page, "references": None})
                 if node.get("type") in ("reference", "image", "video", "link") and "identifier" in node}
        listed = {name for node in nodes(page) for name in node.get("identifiers", [])}
        for identifier in sorted(named | listed):
            reference = references.get(identifier)
            if reference is None:
                findings.see(path, identifier)
                findings.blame(path, identifier, "the page does not know it and shows nothing")
            # A protocol of another library that a type conforms to is listed by its name, without a link.
            elif reference["type"] == "unresolvable" and identifier in named:
                findings.see(path, identifier)
                findings.blame(path, identifier, "it was not found")
        for reference in references.values():
            urls = [reference.get("url")] + [each["url"] for each in reference.get("variants", [])]
            for url in filter(None, urls):
                self._follow(path, url, findings)

    def _check_index(self, findings):
        source = "index/index.json"
        path = os.path.join(self.folder, source)
        if not os.path.exists(path):
            findings.blame(source, source, "there is no such file")
            return
        with open(path, encoding="utf-8") as file:
            for node in nodes(json.load(file)):
                if "path" in node:
                    self._follow(source, node["path"], findings)

    def _check_files(self, findings):
        seen = {}  # most pages are shown by the same text
        for path in [*files(self.folder, ".html"), *files(self.folder, ".css")]:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            source = os.path.relpath(path, self.folder)
            place = "/" + os.path.dirname(source) if not source.startswith("css") else "/css"
            base = BASE.search(text)
            key = (text, None if base else place)
            if key in seen:
                continue
            seen[key] = source
            if source.endswith(".css"):
                targets = [match[1] for match in STYLE.finditer(text)]
            else:
                targets = [match[1] or match[2] for match in ATTRIBUTE.finditer(text)]
            for target in targets:
                if target.startswith("data:") or findings.see(source, target):
                    continue
                root = base[1] if base else "/"
                if target.startswith("/") and not target.startswith(root):
                    findings.blame(source, target, f"it is not below {root}, where the site is")
                    continue
                if target.startswith(root):
                    target = "/" + target[len(root):].lstrip("/")
                reason = self._file_problem(posixpath.join(place, target))
                if reason:
                    findings.blame(source, target, reason)

    def _follow(self, source, url, findings):
        if findings.see(source, url):
            return
        path, _, anchor = url.partition("#")
        path = posixpath.normpath(posixpath.join(source, path)) if path else source
        if path in self.pages:
            if anchor and anchor not in self.anchors(path):
                findings.blame(source, url, "the page has no such heading")
            elif self._file_problem(f"{path}/index.html"):
                findings.blame(source, url, "no file shows the page")
        elif anchor or self._file_problem(path):
            findings.blame(source, url, "the site has no such page or file")

    def _file_problem(self, path):
        """Why a server has nothing there, or None: a folder needs a page of its own."""
        path = urllib.parse.unquote(path.partition("#")[0].partition("?")[0]).lstrip("/")
        found = os.path.normpath(os.path.join(self.folder, path))
        if os.path.isdir(found):
            found = os.path.join(found, "index.html")
        return None if os.path.isfile(found) else "the site has no such file"


def files(folder, ending):
    for place, _, names in sorted(os.walk(folder)):
        yield from (os.path.join(place, name) for name in sorted(names) if name.endswith(ending))


def nodes(value):
    """Every object within a value, and the value itself where it is one."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield each
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)
