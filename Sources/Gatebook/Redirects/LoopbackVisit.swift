internal import Glibc

/// One connection to a loopback listener: reads one request, answers it, ends.
struct LoopbackVisit {
  private let socket: Int32
  /// A request line with its header; a browser sends less.
  private static let maximumSize = 32 << 10
  /// A visitor who says nothing must not keep the next one waiting: milliseconds.
  private static let patience: Int32 = 2000

  /// The next connection, if one waits.
  static func next(at listener: Int32) -> LoopbackVisit? {
    let socket = accept(listener, nil, nil)
    guard socket >= 0 else { return nil }
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    return LoopbackVisit(socket: socket)
  }

  /// Answers the request and closes the connection.
  ///
  /// - Parameter path: The only path that is a redirect's.
  /// - Returns: The query of a GET on that path, with its `?`; `nil` for anything else.
  func answer(for path: [UInt8]) -> String? {
    defer { close(socket) }
    guard let target = Self.target(read()) else {
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

  /// The bytes up to the end of the header; none when it does not come.
  private func read() -> [UInt8] {
    var request: [UInt8] = []
    let deadline = Self.now() + Int64(Self.patience)
    while request.count < Self.maximumSize {
      var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let left = deadline - Self.now()
      guard left > 0 else { break }
      let count = poll(&waiting, 1, Int32(left))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let size = recv(socket, &chunk, chunk.count, 0)
      if size < 0, errno == EINTR { continue }
      guard size > 0 else { break }
      request.append(contentsOf: chunk[..<size])
      if request.suffix(4).elementsEqual("\r\n\r\n".utf8) { return request }
    }
    return []
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
