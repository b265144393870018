extension GatebookError {
  /// What a failed request leaves, as whoever carries requests says it: one of a session, it supposes.
  package static let sessionKept = "The session is kept."

  /// The same failure, of which something else was kept.
  package func keeping(_ kept: String) -> GatebookError {
    var error = self
    error.kept = kept
    return error
  }

  /// The same failure, with the names in its cause that a server has chosen.
  package func naming(_ names: [String]) -> GatebookError {
    var error = self
    error.serversNames = names
    return error
  }

  /// The words in it that a server has chosen: its code, and names in the cause.
  package var serversWords: [String] { [serverCode].compactMap(\.self) + serversNames }

  /// The same failure without some of the server's words, which are not to be told.
  ///
  /// Whole texts go: a gap in a known sentence would spell the word.
  package func withholding(_ words: Set<String>) -> GatebookError {
    var error = self
    if !words.isDisjoint(with: serversNames) {
      error.cause = nil
      error.serversNames = []
    }
    guard let code = serverCode, words.contains(code) else { return error }
    error.serverCode = nil
    if message.contains(code) {
      error.message =
        "The server failed. Its own error code contains a secret, so it is not shown."
    }
    if cause?.contains(code) == true { error.cause = nil }
    return error
  }
}
