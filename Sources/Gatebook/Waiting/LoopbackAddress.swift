internal import GatebookSystem

/// A redirect URI on this machine, as RFC 8252 section 7.3 allows it.
struct LoopbackAddress {
  /// As in a URL: `127.0.0.1` or `[::1]`.
  let host: String
  /// 0 for any free one.
  let port: UInt16
  let path: String

  /// Reads a URI; `nil` for another scheme or host, or with a query.
  init?(_ uri: String) {
    let isAnyPort = uri.utf8.starts(with: "http://127.0.0.1:0/".utf8)
    // Port 0 is no port of a URL.
    let text = isAnyPort ? "http://127.0.0.1/" + String(uri.dropFirst(19)) : uri
    guard let url = HTTPURL(text), !url.origin.isSecure, url.query == nil,
      ["127.0.0.1", "::1"].contains(url.origin.host)
    else { return nil }
    host = url.origin.host.contains(":") ? "[\(url.origin.host)]" : url.origin.host
    port = isAnyPort ? 0 : UInt16(url.origin.port)
    path = url.path
  }

  /// Begins to listen.
  ///
  /// - Returns: The socket, which does not block, and its port.
  func listen() throws(GatebookError) -> (socket: Int32, port: UInt16) {
    guard let listener = Sockets.listen(isIPv6: host.hasPrefix("["), port: port) else {
      throw Self.refusal(port, .last)
    }
    return listener
  }

  private static func refusal(_ port: UInt16, _ error: SystemError) -> GatebookError {
    GatebookError(
      .configurationInvalid, "Gatebook cannot listen on loopback port \(port).",
      kept: "Nothing was sent.",
      remedy: "Choose another port, or stop the program that uses this one.",
      cause: error.text)
  }
}
