"""Finds dead links in the README, the articles and the web site; used by tools/links/check."""
