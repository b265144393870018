"""Checks a page with axe, for people who use a screen reader, a keyboard or large print."""

import functools
import json
import os
import subprocess

from .chromium import PageError

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe_path():
    """Where axe.min.js is."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fetch-axe")
    found = subprocess.run([program, "path"], stdout=subprocess.PIPE, text=True)
    if found.returncode != 0:
        raise PageError("there is no axe; tools/install test")
    return found.stdout.strip()


@functools.cache
def _script():
    with open(axe_path(), encoding="utf-8") as file:
        return file.read()


def violations(browser):
    """What axe finds in the page, a line for each rule; empty if all is well.

    axe runs in a world of its own: the page's policy is not weakened for it, and the page's scripts
    do not see it.
    """
    world = browser.world()
    browser.ask(_script() + "; 0", world)
    found = browser.ask(
        "axe.run(document, { runOnly: %s, resultTypes: ['violations'] }).then((found) =>"
        " found.violations.map((rule) => `${rule.id}: ${rule.help}: ` + rule.nodes.map((node) =>"
        " `${node.target.join(' ')} ${[...node.any, ...node.all, ...node.none].map((one) => one.message).join(', ')}`"
        ").join('; ')))" % json.dumps(TAGS), world)
    return [f"axe: {line}" for line in found]
