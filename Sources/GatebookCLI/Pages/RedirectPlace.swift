internal import Gatebook

/// Where a server sends the person back to, as `--redirect` says it.
enum RedirectPlace: Sendable {
  /// A port of this machine, on which this process listens.
  case port(LoopbackListener)
  /// Nowhere: the server shows a code, and the person types it.
  case typed(String)
  /// Elsewhere: `gatebook login --callback` brings it, in a process of its own.
  case elsewhere(String)

  /// Reads a redirect URI, and begins to listen where it is one of this machine.
  ///
  /// - Parameter uri: The URI; `nil` takes any free port of 127.0.0.1.
  /// - Throws: `UsageError` for what is no URI, `configuration.invalid` for a port that is taken.
  init(_ uri: String?) throws {
    guard let uri else {
      self = .port(try LoopbackListener())
      return
    }
    guard !AwaitedRedirect.typedURIs.contains(uri) else {
      self = .typed(uri)
      return
    }
    guard AbsoluteURI.isValid(uri) else {
      throw UsageError(
        "The value of `--redirect` is not a URI.",
        remedy:
          "Write it exactly as it is registered at the server, such as "
          + "`http://127.0.0.1:8765/callback`, or `oob`.")
    }
    let isOwn = ["http://127.0.0.1", "http://[::1]"].contains { start in
      uri.utf8.starts(with: start.utf8)
        && uri.dropFirst(start.count).first.map { ":/".contains($0) } != false
    }
    self = isOwn ? .port(try LoopbackListener(uri: uri)) : .elsewhere(uri)
  }

  /// Whether the person types a code.
  var isTyped: Bool { if case .typed = self { true } else { false } }

  /// The redirect URI as it is sent to the server.
  var uri: String {
    switch self {
    case .port(let listener): listener.uri
    case .typed(let uri), .elsewhere(let uri): uri
    }
  }
}
