"""What the figures were measured on, when, and by which command."""

import datetime
import os
import platform
import shlex
import sqlite3
import sys


def circumstances(folder):
    """The machine, the date and the command, for a run whose files are in a folder."""
    return {
        "machine": {
            "processor": processor(), "cores": len(os.sched_getaffinity(0)),
            "memoryMiB": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20,
            "kernel": platform.release(), "fileSystem": file_system(folder),
            "sqlite": sqlite3.sqlite_version},
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "command": shlex.join(["tools/bench", *sys.argv[1:]])}


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.machine()


def file_system(folder):
    """The type of the file system that a folder is in: that of the longest mount point above it."""
    place = os.path.realpath(folder)
    found = ("", "unknown")
    with open("/proc/mounts", encoding="utf-8") as mounts:
        for mount in mounts:
            _, point, kind, *_ = mount.split()
            point = point.replace("\\040", " ")
            inside = place == point or place.startswith(point.rstrip("/") + "/")
            # Of two at one point the later one covers the other.
            if inside and len(point) >= len(found[0]):
                found = (point, kind)
    return found[1]
