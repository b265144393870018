"""Checks a book from the document "Event format" alone; used by tools/verify-book."""
