internal import Glibc

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
    let socket = accept(listener, nil, nil)
    guard socket >= 0 else { return nil }
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    return LoopbackVisit(socket)
  }

  private init(_ socket: Int32) {
    self.socket = socket
  }

  /// For how many milliseconds its request is still waited for.
  var patience: Int32 { Int32(max(0, deadline - Self.now())) }

  /// Answers the request and closes the connection.
  ///
  /// - Parameter path: The only path that is a redirect's.
  /// - Returns: The query of a GET on that path, with its `?`; `nil` for anything else.
  func answer(for path: [UInt8]) -> String? {
    defer { close(socket) }
    guard let target = Self.target(isWhole ? request : []) else {
      write("400 Bad Request", "This is no request that Gatebook answers.")
      return nil
    }
    let own = target.prefix { $0 != UInt8(ascii: "?") }
    guard own.elementsEqual(path) else {
      write("404 Not Found", "There is nothing here.")
      return nil
    }
    let query = String(decoding: target[own.endIndex...], as: UTF8.self)
    write("200 OK", Self.news(of: query) + " You can close this window.")
    return query
  }

  /// What a redirect says, without repeating any of it; whose it is, the book decides later.
  ///
  /// Source: RFC 6749 sections 4.1.2 and 4.1.2.1, RFC 5849 section 2.2; `oauth_problem` is what
  /// servers of OAuth 1.0a add.
  private static func news(of query: String) -> String {
    let fields = FormFields(decoding: Array(query.utf8.dropFirst()))
    let has = { (names: [String]) in names.contains { fields?[$0] != nil } }
    if has(["error", "oauth_problem"]) {
      return "The login was refused. Return to the application: it says why."
    }
    guard has(["code", "oauth_verifier"]) else {
      return "This is no answer to a login. The application goes on waiting for one."
    }
    return "The answer to the login was received. Return to the application."
  }

  /// What stands on the request line of a GET (RFC 9112 section 3).
  private static func target(_ request: [UInt8]) -> ArraySlice<UInt8>? {
    let line = request.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual("GET".utf8),
      parts[2].starts(with: "HTTP/1.".utf8)
    else { return nil }
    return parts[1]
  }

  /// Whether the header has come to its end.
  private var isWhole: Bool { request.suffix(4).elementsEqual("\r\n\r\n".utf8) }

  /// Reads what has come.
  ///
  /// - Returns: Whether there is no more to wait for: the request is whole, too long, or late, or the visitor
  ///   has gone.
  mutating func listen() -> Bool {
    while request.count < Self.maximumSize {
      var chunk = [UInt8](repeating: 0, count: 4096)
      let size = recv(socket, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      if size < 0, errno == EINTR { continue }
      if size < 0, errno == EAGAIN { return patience == 0 }
      guard size > 0 else { return true }
      request.append(contentsOf: chunk[..<size])
      if isWhole { return true }
    }
    return true
  }

  /// Milliseconds on a clock that never jumps.
  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private func write(_ status: String, _ text: String) {
    let page = """
      <!doctype html><html lang="en"><meta charset="utf-8"><title>Gatebook</title><p>\(text)</p></html>

      """
    let answer = [
      "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8",
      "Content-Length: \(page.utf8.count)", "Cache-Control: no-store", "Connection: close",
      "Referrer-Policy: no-referrer", "", page,
    ].joined(separator: "\r\n")
    let bytes = Array(answer.utf8)
    // A page of some hundred bytes fits into the socket's buffer; a browser that has gone gets none.
    _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    shutdown(socket, Int32(SHUT_WR))
  }
}
