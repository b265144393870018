extension GatebookError {
  /// What a failed request leaves, as whoever carries requests says it: one of a session, it supposes.
  package static let sessionKept = "The session is kept."

  /// The same failure, of which something else was kept.
  package func keeping(_ kept: String) -> GatebookError {
    var error = self
    error.kept = kept
    return error
  }

  /// The words in it that a server may have chosen: its code, and names in the cause.
  package var serversWords: [String] {
    let names = (cause ?? "").split { $0 == " " || $0 == "," || $0 == ":" }
    return [serverCode].compactMap(\.self) + names.map(String.init)
  }

  /// The same failure without some of the server's words, which are not to be told.
  package func withholding(_ words: Set<String>) -> GatebookError {
    var error = self
    if let code = serverCode, words.contains(code) { error.serverCode = nil }
    for word in words {
      error.message.replace(word, with: "…")
      error.cause?.replace(word, with: "…")
    }
    return error
  }
}
