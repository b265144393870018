"""Event format, "Facts: canonical JSON"."""

import json

DEEPEST = 16


def is_canonical(data):
    """Whether `data` is one object, written in the only allowed way."""
    try:
        value = json.loads(data.decode("utf-8"))
        # Python sorts by code points, which is the order of the UTF-8 bytes, and escapes exactly
        # what RFC 8785 does. A key that came twice is lost here, so the bytes differ.
        again = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        return isinstance(value, dict) and again.encode("utf-8") == data and is_allowed(value)
    except (ValueError, RecursionError):
        return False


def is_allowed(value, level=1):
    """Only integers of 64 bits, and nothing, the innermost values included, nested too deep."""
    if level > DEEPEST or isinstance(value, float):
        return False
    if isinstance(value, (dict, list)):
        members = value.values() if isinstance(value, dict) else value
        return all(is_allowed(member, level + 1) for member in members)
    return not isinstance(value, int) or -(2**63) <= value < 2**63
