internal import Glibc

/// One accepted connection, driven by a script on its own thread.
struct RawConnection: Sendable {
  let index: Int
  let descriptor: CInt
  let journal: Journal

  /// Reads one request and notes it; `nil` when the other side has closed.
  func readRequest() -> RawRequest? {
    var bytes: [UInt8] = []
    while bytes.suffix(4) != [13, 10, 13, 10] {
      guard let byte = read(atMost: 1).first else { return closed() }
      bytes.append(byte)
    }
    // swift-format-ignore: OptionalDataStringConversion
    let head = String(decoding: bytes, as: UTF8.self)
    let length =
      head.split(separator: "\r\n").compactMap { line -> Int? in
        guard line.lowercased().hasPrefix("content-length:") else { return nil }
        return Int(line.drop { $0 != ":" }.dropFirst().drop { $0 == " " })
      }.first ?? 0
    var body: [UInt8] = []
    if head.lowercased().contains("\r\ntransfer-encoding: chunked\r\n") {
      guard let chunks = readChunks() else { return closed() }
      body = chunks
    }
    while body.count < length {
      let piece = read(atMost: length - body.count)
      guard !piece.isEmpty else { return closed() }
      body += piece
    }
    let request = RawRequest(connection: index, head: head, body: body)
    journal.note(.received(request))
    return request
  }

  /// A body in chunks (RFC 9112 section 7.1), without a trailer.
  private func readChunks() -> [UInt8]? {
    var body: [UInt8] = []
    while true {
      var line: [UInt8] = []
      while line.last != 10 {
        guard let byte = read(atMost: 1).first else { return nil }
        line.append(byte)
      }
      guard let size = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      var chunk: [UInt8] = []
      while chunk.count < size + 2 {
        let piece = read(atMost: size + 2 - chunk.count)
        guard !piece.isEmpty else { return nil }
        chunk += piece
      }
      guard size > 0 else { return body }
      body += chunk.dropLast(2)
    }
  }

  /// Says nothing until the other side closes.
  static let silent: RawPeer.Script = { $0.readUntilClose() }

  /// Blocks until the other side closes, and notes it.
  func readUntilClose() {
    while !read(atMost: 4096).isEmpty {}
    _ = closed()
  }

  func send(_ text: String) {
    _ = send(Array(text.utf8))
  }

  /// Sends all bytes; says whether the other side still took them.
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Sends the same piece again and again until the other side is gone or all is sent; notes how
  /// many bytes that took.
  func send(_ piece: [UInt8], upTo total: Int) {
    var sent = 0
    while sent < total, send(piece) {
      sent += piece.count
    }
    journal.note(.sent(bytes: sent))
  }

  private func read(atMost count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: min(count, 65_536)) { buffer, initialized in
      initialized = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }

  private func closed() -> RawRequest? {
    journal.note(.closed(connection: index))
    return nil
  }
}
