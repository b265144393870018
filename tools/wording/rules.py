"""What is looked for in a passage."""

import re

LIMIT = 30
LENGTH = "length"
# It ends at a mark before a blank; quotation marks and brackets may close between them.
END = re.compile(r"[.?!:][\"'”’)\]*_]*(?=\s|$)")
ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs)|\b[A-Z])\.$")
WORD = re.compile(r"\S*[\w\x01]\S*")


class Finding:
    def __init__(self, passage, rule, start, end, sentence, message):
        self.path, self.line = passage.path, passage.line(start)
        self.rule, self.message = rule, message
        self.phrase = " ".join(passage.text[start:end].split()).lower() if rule != LENGTH else LENGTH
        self._sentence = " ".join(sentence.split())

    def is_within(self, text):
        """Whether a text is part of the sentence and, for a phrase, holds the phrase."""
        text = text.lower()
        return text in self._sentence.lower() and (self.rule == LENGTH or self.phrase in text)


def sentences(text):
    """Where each sentence begins and ends."""
    start = 0
    for match in END.finditer(text):
        if match[0] == "." and ABBREVIATION.search(text[start:match.end()]):
            continue
        yield start, match.end()
        start = match.end()
    if text[start:].strip():
        yield start, len(text)


def find(passage, phrases):
    spans = list(sentences(passage.text))
    for phrase in phrases:
        for match in phrase.pattern.finditer(passage.text):
            sentence = next((passage.text[start:end] for start, end in spans
                             if start <= match.start() < end), passage.text)
            shown = " ".join(match[0].split())
            yield Finding(passage, phrase.rule, match.start(), match.end(), sentence,
                          f"“{shown}”: {phrase.advice}")
    for start, end in spans:
        words = WORD.findall(passage.text[start:end])
        if len(words) > LIMIT:
            start += len(passage.text[start:end]) - len(passage.text[start:end].lstrip())
            opening = " ".join("`…`" if "\x01" in word else word for word in words[:6])
            yield Finding(passage, LENGTH, start, end, passage.text[start:end],
                          f"a sentence of {len(words)} words, at most {LIMIT}: “{opening} …”")
