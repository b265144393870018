"""What one append costs in things that can be counted: the same in every run."""

# Two runs of different length: their difference leaves out what opening and closing cost.
FEW, MANY = 1000, 3000


def count(programs):
    few = programs.append("gatebook", 1, FEW, counting=True)
    many = programs.append("gatebook", 1, MANY, counting=True)
    counts = {"bytesPerEvent": programs.append("gatebook", 1000, 50_000)["bytes"] / 50_000}
    for name in ("syncs", "writes", "steps", "allocations"):
        counts[f"{name}PerAppend"] = (many[name] - few[name]) / (MANY - FEW)
    return {name: round(value, 2) for name, value in counts.items()}
