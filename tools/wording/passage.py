"""A stretch of prose and where it is."""

CODE = "\x01"  # in place of each character of code, so that it is one word


class Passage:
    """One paragraph, heading, list item, table cell or string: a sentence never crosses its end."""

    def __init__(self, path):
        self.path = path
        self.text = ""
        self._lines = []  # the line of each character

    def add(self, text, line):
        self.text += text
        self._lines += [line] * len(text)

    def replace(self, start, end, text):
        """Replaces characters by as many others."""
        self.text = self.text[:start] + text + self.text[end:]

    def line(self, index):
        return self._lines[min(index, len(self._lines) - 1)]
