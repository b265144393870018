"""Figures: pairs of measurements, their median ratio, and the goal it is held against."""

import json
from statistics import median


class Figure:
    """One thing measured in every round, for Gatebook and, as a rule, for an anchor."""

    def __init__(
            self, name, unit, goal, against=None, is_cost=False, size=None, is_absolute=False):
        """With `size` it is about a book of so many events.

        With `is_absolute` the goal is about the value itself, and the anchor is only shown. A goal
        of None leaves out the verdict: only the growth counts.
        """
        self.name = name
        self.unit = unit
        self.goal = goal
        self.against = against
        self.is_cost = is_cost
        self.size = size
        self.is_absolute = is_absolute
        self.gatebook = []
        self.anchor = []

    def add(self, gatebook, anchor=None):
        self.gatebook.append(gatebook)
        if anchor is not None:
            self.anchor.append(anchor)

    @property
    def value(self):
        """What the goal is about: the median of the ratios, or of the values without an anchor."""
        return median(self.gatebook) if self.is_absolute or not self.anchor else self.ratio

    @property
    def ratio(self):
        return median(ours / theirs for ours, theirs in zip(self.gatebook, self.anchor))

    @property
    def full_name(self):
        return self.name if self.size is None else f"{self.name}, {short(self.size)}"

    @property
    def is_reached(self):
        if self.goal is None:
            return None
        return self.value <= self.goal if self.is_cost else self.value >= self.goal

    @property
    def as_json(self):
        members = {
            "name": self.name, "size": self.size, "unit": self.unit,
            "gatebook": round(median(self.gatebook), 2), "against": self.against,
            "anchor": round(median(self.anchor), 2) if self.anchor else None,
            "ratio": round(self.ratio, 3) if self.anchor else None, "goal": self.goal,
            "goalIsAbsolute": True if self.anchor and self.is_absolute else None,
            "reached": self.is_reached}
        return {name: value for name, value in members.items() if value is not None}

    @property
    def as_row(self):
        relation = "<=" if self.is_cost else ">="
        unit = "x" if self.anchor and not self.is_absolute else ""
        return [
            self.full_name, f"{shown(median(self.gatebook))} {self.unit}",
            f"{self.against} {shown(median(self.anchor))}" if self.anchor else "",
            f"{self.ratio:.2f}x" if self.anchor else "",
            "" if self.goal is None else f"{relation} {self.goal:,}{unit}",
            {None: "", True: "reached", False: "not reached"}[self.is_reached]]


def short(size):
    """A number of events, such as 10 k."""
    for unit, name in ((1_000_000, "M"), (1000, "k")):
        if size >= unit:
            return f"{size / unit:g} {name}"
    return str(size)


def shown(value):
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def growth(figures):
    """Each figure that was measured in books of several sizes, from the smallest to the largest."""
    kinds = {}
    for figure in figures:
        # The same value is not told again for each anchor.
        if figure.size is not None:
            kinds.setdefault((figure.name, figure.unit), {}).setdefault(figure.size, figure)
    for (name, unit), by_size in kinds.items():
        if len(by_size) < 2:
            continue
        values = {size: median(by_size[size].gatebook) for size in sorted(by_size)}
        first, *_, last = values.values()
        yield name, unit, values, last / first


def show(figures, counts, thresholds, as_json, circumstances, seconds):
    grown = list(growth(figures))
    if as_json:
        print(json.dumps({
            **circumstances, "seconds": seconds,
            "growth": [
                {"name": name, "unit": unit, "growth": round(times, 3),
                 "values": {str(size): round(value, 2) for size, value in values.items()}}
                for name, unit, values, times in grown],
            "figures": [figure.as_json for figure in figures],
            "counts": {
                name: {"value": value, "threshold": thresholds[name],
                       "ok": value <= thresholds[name]}
                for name, value in counts.items()}}, indent=2))
        return
    rows = [["figure", "Gatebook", "anchor", "ratio", "goal", ""]]
    rows += [figure.as_row for figure in figures]
    rows += [
        [name, f"{value:g}", "", "", f"<= {thresholds[name]:g}",
         "ok" if value <= thresholds[name] else "FAILED"]
        for name, value in counts.items()]
    print_table(rows)
    if grown:
        sizes = sorted({size for _, _, values, _ in grown for size in values})
        print()
        print_table([["growth over the sizes", *map(short, sizes), "", ""]] + [
            [name, *(shown(values[size]) if size in values else "" for size in sizes), unit,
             f"{times:.2f}x"]
            for name, unit, values, times in grown])


def print_table(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
