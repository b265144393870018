internal import GatebookSystem

/// One connection to a loopback listener: reads one request, answers it, ends.
///
/// It never waits: browsers open connections that they may want later, and say nothing on them.
struct LoopbackVisit {
  let socket: Int32
  /// What has come of the request.
  private var request: [UInt8] = []
  /// When it ends without one, by ``now()``.
  private let deadline = Self.now() + Int64(Self.longestVisit)
  /// A request line with its header; a browser sends less.
  private static let maximumSize = 32 << 10
  /// How long a visitor may take for its request: milliseconds.
  private static let longestVisit: Int32 = 2000

  /// The next connection, if one waits.
  static func next(at listener: Int32) -> LoopbackVisit? {
    Sockets.accept(listener).map { LoopbackVisit($0) }
  }

  private init(_ socket: Int32) {
    self.socket = socket
  }

  /// For how many milliseconds its request is still waited for.
  var patience: Int32 { Int32(max(0, deadline - Self.now())) }

  /// The redirect that the request is; any other request is answered, and its connection closed.
  ///
  /// - Parameter path: The only path that is a redirect's.
  /// - Returns: The query of a GET on that path, with its `?`, and the page that the browser waits
  ///   for; `nil` for anything else.
  func redirect(at path: [UInt8]) -> (query: String, page: LoopbackPage)? {
    guard let target = Self.target(isWhole ? request : []) else {
      refuse("400 Bad Request", "Gatebook does not answer such a request.")
      return nil
    }
    let own = target.prefix { $0 != UInt8(ascii: "?") }
    guard own.elementsEqual(path) else {
      refuse("404 Not Found", "There is nothing here.")
      return nil
    }
    return (String(decoding: target[own.endIndex...], as: UTF8.self), LoopbackPage(socket))
  }

  /// Path and query of a GET's request line (RFC 9112 section 3).
  private static func target(_ request: [UInt8]) -> ArraySlice<UInt8>? {
    let line = request.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual("GET".utf8),
      parts[2].starts(with: "HTTP/1.".utf8)
    else { return nil }
    return originForm(parts[1])
  }

  /// A target without scheme and authority: "a server MUST accept the absolute-form in requests"
  /// (RFC 9112 section 3.2.2), as clients send it to a proxy.
  private static func originForm(_ target: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard target.first != UInt8(ascii: "/") else { return target }
    let scheme = target.prefix(7)
    guard String(decoding: scheme, as: UTF8.self).lowercased() == "http://" else { return nil }
    return target[scheme.endIndex...].drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
  }

  /// Whether the header has come to its end.
  private var isWhole: Bool { request.suffix(4).elementsEqual("\r\n\r\n".utf8) }

  /// Reads what has come.
  ///
  /// - Returns: Whether there is no more to wait for: the request is whole, too long, or late, or
  ///   the visitor has gone.
  mutating func listen() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while request.count < Self.maximumSize {
      let size = Sockets.receive(socket, &chunk, waits: false)
      if size < 0, SystemError.last == .interrupted { continue }
      if size < 0, SystemError.last == .wouldBlock { return patience == 0 }
      guard size > 0 else { return true }
      request.append(contentsOf: chunk[..<size])
      if isWhole { return true }
    }
    return true
  }

  /// Milliseconds on a clock that never jumps.
  static func now() -> Int64 {
    SystemTime.monotonic / 1000
  }

  /// Answers what is no redirect, and closes the connection.
  private func refuse(_ status: String, _ text: String) {
    Self.write(status, text, to: socket)
    FileDescriptor.close(socket)
  }

  /// Writes a whole answer.
  ///
  /// - Parameters:
  ///   - status: The status with its reason.
  ///   - text: What the page says; as text, not as HTML.
  ///   - socket: The connection.
  static func write(_ status: String, _ text: String, to socket: Int32) {
    let text = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    let page = """
      <!doctype html><html lang="en"><meta charset="utf-8"><title>Gatebook</title><p>\(text)</p></html>

      """
    let answer = [
      "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8",
      "Content-Length: \(page.utf8.count)", "Cache-Control: no-store", "Connection: close",
      "Referrer-Policy: no-referrer", "", page,
    ].joined(separator: "\r\n")
    let bytes = Array(answer.utf8)
    // A page of some hundred bytes fits into the socket's buffer; a browser that has gone gets
    // none.
    Sockets.send(bytes, to: socket)
    Sockets.endSending(socket)
  }
}
