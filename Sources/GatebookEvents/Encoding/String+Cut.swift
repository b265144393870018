extension String {
  /// The text cut to at most so many bytes of UTF-8, between characters.
  package func cut(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var text = String(prefix(limit))
    while text.utf8.count > limit { text.removeLast() }
    return text
  }
}
