"""Reads what Gatebook says to people and checks its words; used by tools/words."""
