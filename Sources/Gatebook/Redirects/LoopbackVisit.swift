internal import Glibc

/// One connection to a loopback listener: reads one request, answers it, ends.
final class LoopbackVisit: Sendable {
  private let socket: Int32
  /// A request line with its header; a browser sends less.
  private static let maximumSize = 32 << 10
  /// A visitor who says nothing must not keep the next one waiting.
  private static let patience: Duration = .seconds(2)

  private init(_ socket: Int32) {
    self.socket = socket
  }

  deinit {
    close(socket)
  }

  /// The next connection, if one waits.
  static func next(at listener: Int32) -> LoopbackVisit? {
    let socket = accept(listener, nil, nil)
    guard socket >= 0 else { return nil }
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    return LoopbackVisit(socket)
  }

  /// Answers the request.
  ///
  /// - Parameter path: The only path that is a redirect's.
  /// - Returns: The query of a GET on that path, with its `?`; `nil` for anything else.
  func answer(for path: [UInt8]) async -> String? {
    guard let target = Self.target(await read()) else {
      write("400 Bad Request", "This is no request that Gatebook answers.")
      return nil
    }
    let own = target.prefix { $0 != UInt8(ascii: "?") }
    guard own.elementsEqual(path) else {
      write("404 Not Found", "There is nothing here.")
      return nil
    }
    write("200 OK", "The answer has arrived. You can close this window.")
    return String(decoding: target[own.endIndex...], as: UTF8.self)
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

  /// The bytes up to the end of the header.
  private func read() async -> [UInt8] {
    var request: [UInt8] = []
    let start = ContinuousClock.now
    while request.count < Self.maximumSize, !Self.isWhole(request),
      ContinuousClock.now - start < Self.patience, !Task.isCancelled
    {
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = recv(socket, &chunk, chunk.count, 0)
      if count > 0 {
        request.append(contentsOf: chunk[..<count])
      } else if count == 0 || errno != EAGAIN {
        break
      } else {
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    return Self.isWhole(request) ? request : []
  }

  private static func isWhole(_ request: [UInt8]) -> Bool {
    request.suffix(4).elementsEqual("\r\n\r\n".utf8)
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
