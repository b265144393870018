"""What the verifier has to say."""

SHOWN_PROBLEMS = 20


class Refusal(Exception):
    """The book cannot be judged at all."""

    def __init__(self, status, code, message, remedy):
        super().__init__(message)
        self.status, self.code, self.remedy = status, code, remedy


class Verdict:
    """What is wrong, in the order it was found, and the first position that is affected."""

    def __init__(self):
        self.size, self.root, self.level = 0, None, "self"
        self.first_bad = None
        self.opening, self.identity = None, None
        self.archive = None  # the verdict on the archive that was given
        self.proof = None  # what was checked instead of a book
        self._problems, self._untold = [], 0

    def blame(self, text, position=None):
        if position is not None and (self.first_bad is None or position < self.first_bad):
            self.first_bad = position
        if len(self._problems) < SHOWN_PROBLEMS:
            self._problems.append(text)
        else:
            self._untold += 1

    @property
    def present(self):
        """How many events the book has itself."""
        if self.opening is None:
            return self.size
        lost = sum(last - first + 1 for first, last in self.opening.lost)
        return self.size - (self.opening.first - 1) - lost

    @property
    def ok(self):
        return not self._problems

    @property
    def problems(self):
        return self._problems + ([f"and {self._untold} more"] if self._untold else [])
