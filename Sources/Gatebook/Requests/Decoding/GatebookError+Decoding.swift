extension GatebookError {
  /// An answer that is no JSON, or beyond what is read.
  static func notJSON(_ reply: HTTPReply) -> GatebookError {
    GatebookError(
      .contentUnexpected,
      "The answer is not valid JSON, has a duplicate member, or has an object with too many members.",
      kept: "The session is kept.", remedy: "Check the URL.", status: reply.status)
  }

  /// JSON of another shape than the app's type; says where, never what stood there.
  static func undecodable(_ error: any Error, _ reply: HTTPReply) -> GatebookError {
    var place = ""
    var cause = "rejected by the type's own check"
    if let error = error as? DecodingError {
      switch error {
      case .typeMismatch(let type, let context):
        (place, cause) = (path(context.codingPath), "\(type) expected")
      case .valueNotFound(let type, let context):
        (place, cause) = (path(context.codingPath), "\(type) expected, but there is no value")
      case .keyNotFound(let key, let context):
        (place, cause) = (path(context.codingPath + [key]), "it is missing")
      case .dataCorrupted(let context):
        (place, cause) = (path(context.codingPath), "it does not fit the type")
      @unknown default: break
      }
    }
    return GatebookError(
      .contentUnexpected,
      "The JSON answer does not match the app's type\(place.isEmpty ? "" : ": \(place)").",
      kept: "The session is kept.", remedy: "Compare the app's type with the server's answer.",
      cause: cause, status: reply.status)
  }

  /// The keys with dots between them; what may be a server's own words is left out.
  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { isPlainName($0.stringValue) ? $0.stringValue : "(…)" }.joined(separator: ".")
  }
}
