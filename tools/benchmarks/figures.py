"""Figures: pairs of measurements, their median ratio, and the goal it is held against."""

import json
from statistics import median


class Figure:
    """One thing measured in every round, for Gatebook and, as a rule, for an anchor."""

    def __init__(self, name, unit, goal, against=None, is_cost=False):
        self.name = name
        self.unit = unit
        self.goal = goal
        self.against = against
        self.is_cost = is_cost
        self.gatebook = []
        self.anchor = []

    def add(self, gatebook, anchor=None):
        self.gatebook.append(gatebook)
        if anchor is not None:
            self.anchor.append(anchor)

    @property
    def value(self):
        """What the goal is about: the median of the ratios, or of the values without an anchor."""
        if not self.anchor:
            return median(self.gatebook)
        return median(ours / theirs for ours, theirs in zip(self.gatebook, self.anchor))

    @property
    def is_reached(self):
        return self.value <= self.goal if self.is_cost else self.value >= self.goal

    @property
    def as_json(self):
        members = {
            "name": self.name, "unit": self.unit, "gatebook": round(median(self.gatebook), 1),
            "against": self.against, "anchor": round(median(self.anchor), 1) if self.anchor else None,
            "ratio": round(self.value, 3) if self.anchor else None, "goal": self.goal,
            "reached": self.is_reached}
        return {name: value for name, value in members.items() if value is not None}

    @property
    def as_row(self):
        relation = "<=" if self.is_cost else ">="
        unit = "x" if self.anchor else ""
        return [
            self.name, f"{median(self.gatebook):,.0f} {self.unit}",
            f"{self.against} {median(self.anchor):,.0f}" if self.anchor else "",
            f"{self.value:.2f}x" if self.anchor else "", f"{relation} {self.goal:,}{unit}",
            "reached" if self.is_reached else "not reached"]


def show(figures, counts, thresholds, as_json):
    if as_json:
        print(json.dumps({
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
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
