"""How long clean builds take, and what the compiler spends the time on."""

import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from .figures import Figure
from .measuring import turned
from .programs import ROOT

WORST = 10
# `12.34ms<tab>path:line:column<tab>what`, from -debug-time-function-bodies.
BODY = re.compile(r"^(\d+(?:\.\d+)?)ms\t(\S+:\d+:\d+)\t(.+)$", re.MULTILINE)


class Building:
    """The command for release, and everything for debugging, each from nothing."""

    # The most seconds, and what is built.
    BUILDS = {
        "clean release build": (240, ["-c", "release", "--product", "gatebook"]),
        "clean debug build": (120, [])}

    def __init__(self):
        subprocess.run([os.path.join(ROOT, "tools", "install"), "build"], check=True)
        self.times = {
            name: Figure(name, "s", goal, is_cost=True) for name, (goal, _) in self.BUILDS.items()}
        self.figures = list(self.times.values())

    def round(self, number):
        for name in turned(list(self.BUILDS), number):
            _, words = self.BUILDS[name]
            with tempfile.TemporaryDirectory(prefix="gatebook-bench.") as folder:
                begin = time.monotonic()
                build(folder, words)
                self.times[name].add(time.monotonic() - begin)


def build(folder, words):
    """Builds in a folder of its own; what the compiler printed."""
    command = ["swift", "build", "--package-path", ROOT, "--scratch-path", folder, *words]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        print(done.stdout, file=sys.stderr)
        raise subprocess.CalledProcessError(done.returncode, command)
    return done.stdout


class Account:
    """What a debug build spent its time on.

    It is taken of a build of its own, because taking it down costs time too.
    """

    def __init__(self, bodies, phases):
        self.bodies = bodies
        self.phases = phases

    @staticmethod
    def of_a_build():
        with tempfile.TemporaryDirectory(prefix="gatebook-bench.") as folder:
            statistics = os.path.join(folder, "statistics")
            os.mkdir(statistics)
            options = ["-Xfrontend", "-debug-time-function-bodies",
                       "-stats-output-dir", statistics]
            words = [word for option in options for word in ("-Xswiftc", option)]
            told = build(os.path.join(folder, "build"), words)
            return Account(worst_bodies(told), longest_phases(statistics))

    @property
    def as_json(self):
        return {
            "bodies": [{"milliseconds": duration, "place": place, "name": name}
                       for duration, place, name in self.bodies],
            "phases": [{"seconds": round(seconds, 2), "name": name}
                       for name, seconds in self.phases]}

    def show(self):
        print(f"\nThe {WORST} functions whose types take longest to check:")
        for duration, place, name in self.bodies:
            print(f"  {duration:8.1f} ms  {place}  {name}")
        print("\nWhat all jobs of the compiler spend longest on, inner phases included:")
        for name, seconds in self.phases:
            print(f"  {seconds:8.2f} s   {name}")


def worst_bodies(told):
    """A body that several jobs checked counts once."""
    times = {}
    for duration, place, name in BODY.findall(told):
        place = os.path.relpath(place, ROOT) if os.path.isabs(place) else place
        # What follows the name says the place again.
        name = name.partition("@")[0]
        times[place, name] = max(float(duration), times.get((place, name), 0))
    worst = sorted(times.items(), key=lambda item: item[1], reverse=True)[:WORST]
    return [(duration, place, name) for (place, name), duration in worst]


def longest_phases(folder):
    """The timers of all jobs, summed up by name."""
    seconds = collections.Counter()
    for path in glob.glob(os.path.join(folder, "**", "*.json"), recursive=True):
        with open(path, encoding="utf-8") as file:
            for name, value in json.load(file).items():
                if name.startswith("time.swift.") and name.endswith(".wall"):
                    seconds[name[len("time.swift."):-len(".wall")]] += value
    return seconds.most_common(WORST)
