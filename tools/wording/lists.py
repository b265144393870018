"""The lists beside this file."""

import re


class WrongList(Exception):
    pass


class Phrase:
    def __init__(self, rule, pattern, shown, advice):
        self.rule, self.pattern, self.shown, self.advice = rule, pattern, shown, advice


def lines(path):
    """The number and the text of each line that is neither empty nor a comment."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if line and not line.startswith("#"):
                yield number, line


def read_phrases(path):
    phrases, rule = [], None
    for number, line in lines(path):
        if line.startswith("[") and line.endswith("]"):
            rule = line[1:-1]
            continue
        shown, arrow, advice = (part.strip() for part in line.partition(" -> "))
        if not arrow or not advice or rule is None:
            raise WrongList(f"{path}:{number}: a line is `phrase -> what to say instead`, below a [rule]")
        try:
            if shown.startswith("/") and shown.endswith("/"):
                pattern = re.compile(shown[1:-1].replace(" ", r"\s+"), re.IGNORECASE)
            else:
                words = r"\s+".join(re.escape(word) for word in shown.split())
                pattern = re.compile(rf"(?<![\w-]){words}(?![\w-])", re.IGNORECASE)
        except re.error as error:
            raise WrongList(f"{path}:{number}: {error}") from error
        phrases.append(Phrase(rule, pattern, shown, advice))
    return phrases
