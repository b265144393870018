extension GatebookError {
  /// What a failed request leaves, as whoever carries requests says it: one of a session, it supposes.
  package static let sessionKept = "The session is kept."

  /// The same failure, of which something else was kept.
  package func keeping(_ kept: String) -> GatebookError {
    var error = self
    error.kept = kept
    return error
  }

  /// The same failure without the server's own word, which is not to be told.
  package var withholdingWord: GatebookError {
    guard let word = serverCode else { return self }
    var error = self
    error.serverCode = nil
    error.message.replace(word, with: "…")
    error.cause?.replace(word, with: "…")
    return error
  }
}
