"""What a proxy and a helper cost: rounds of figures, and counts."""

import statistics
import time

from .figures import Figure
from .measuring import turned
from .web import TOKEN, load

CLIENTS = 64
MANY_CLIENTS = 1000
# On average, in milliseconds: 64 clients then ask about 2000 times a second, which leaves the
# processors time. Without a pause a latency says how many clients wait in line, and nothing else.
PAUSE = 32


class Proxying:
    """Gatebook's proxy and nginx as one, in front of the same server."""

    def __init__(self, web, proxy, seconds, rounds):
        self.most_rounds = rounds
        self.ways = {
            "direct": (web.port, TOKEN), "nginx": (web.proxy_port, TOKEN),
            "gatebook": (proxy.port, proxy.capability)}
        self.seconds = seconds
        self.rate = Figure(f"proxy, {CLIENTS} clients", "requests/s", 0.8, "nginx")
        self.added = Figure("proxy, added to the p99", "us", 1000, is_cost=True)
        self.figures = [self.rate, self.added]

    def round(self, number):
        rates = {
            name: load(*self.ways[name], CLIENTS, self.seconds)["rate"]
            for name in turned(["nginx", "gatebook"], number)}
        self.rate.add(rates["gatebook"], rates["nginx"])
        times = {
            name: load(*self.ways[name], CLIENTS, self.seconds, PAUSE)["p99us"]
            for name in turned(["direct", "gatebook"], number)}
        self.added.add(times["gatebook"] - times["direct"])


class Helping:
    """Answers of helpers from a valid session: each a process of its own, or from the agent."""

    TIMES = 15

    def __init__(self, command, web, agent):
        self.command = command
        self.agent = agent
        asked = f"protocol=http\nhost=127.0.0.1:{web.port}\n\n"
        self.helpers = {
            "token": (["token"], ""), "credential git get": (["credential", "git", "get"], asked)}
        self.answers = {
            name: Figure(name, "us", 1.5, "--version", is_cost=True) for name in self.helpers}
        self.from_agent = {
            name: Figure(f"{name}, from the agent", "us", 2000, is_cost=True)
            for name in self.helpers}
        self.figures = [*self.answers.values(), *self.from_agent.values()]

    def round(self, number):
        times = {name: [] for name in (*self.helpers, "--version")}
        for turn in range(self.TIMES):
            for name in turned(list(times), number + turn):
                words, answers = self.helpers.get(name, (["--version"], ""))
                expected = TOKEN if name in self.helpers else "gatebook"
                times[name].append(self.command.time(*words, answers=answers, expected=expected))
        for name, figure in self.answers.items():
            figure.add(statistics.median(times[name]), statistics.median(times["--version"]))
        for name, figure in self.from_agent.items():
            words, answers = self.helpers[name]
            figure.add(statistics.median(
                self.agent.time(*words, answers=answers, expected=TOKEN)
                for _ in range(self.TIMES)))


# Two runs of different length: their difference leaves out what starting and ending cost.
FEW, MANY = 300, 1300


def count(command, counters, seconds):
    """What can be counted: of a proxied request, of a helper's answer, and of many requests."""
    runs = []
    for times in (FEW, MANY):
        with command.proxy(preload=counters) as proxy:
            proxy.ask(times)
        runs.append(proxy.counts)
    few, many = runs
    counts = {
        f"{name}PerProxiedRequest": (many[name] - few[name]) / (MANY - FEW)
        for name in ("steps", "allocations")}
    token = command.counts(counters, "token")
    counts["stepsPerToken"] = token["steps"]
    counts["allocationsPerToken"] = token["allocations"]
    counts.update(crowd(command, seconds))
    return {name: round(value, 2) for name, value in counts.items()}


def crowd(command, seconds):
    """A thousand clients at once, and what they leave behind: each time the same.

    The heap grows to its size in the first two crowds.
    """
    with command.proxy() as proxy:
        failed, handles, memory = 0, [], []
        for _ in range(3):
            failed += load(proxy.port, proxy.capability, MANY_CLIENTS, seconds)["failed"]
            # The connections end with the clients, a moment later.
            until = time.monotonic() + 5
            while proxy.handles > 320 and time.monotonic() < until:
                time.sleep(0.05)
            handles.append(proxy.handles)
            memory.append(proxy.kibibytes)
    return {
        "failedOfCrowd": failed, "handlesAfterCrowd": handles[-1],
        "kibibytesMoreAfterCrowd": max(0, memory[-1] - memory[-2])}
