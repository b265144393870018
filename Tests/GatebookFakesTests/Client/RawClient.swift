import Glibc

@testable import GatebookFakes

/// One connection to a loopback port over a plain socket, or over TLS once that was started.
final class RawClient {
  let descriptor: Int32
  /// TLS over the socket; `nil` for plain HTTP.
  var tls: TLSStream?
  private var buffer: [UInt8] = []

  /// Connects; `nil` when the connection is refused.
  init?(_ port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    // A server that never answers must fail the test, not hang it.
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Sends bytes as they are.
  func send(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    if let tls {
      _ = tls.send(bytes)
      return
    }
    var sent = 0
    while sent < bytes.count {
      let status = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard status > 0 else { return }
      sent += status
    }
  }

  /// Sends text as it is.
  func send(_ text: String) {
    send(text.utf8)
  }

  /// Everything up to the end of the connection.
  func readToEnd() -> [UInt8] {
    while fill() {}
    defer { buffer = [] }
    return buffer
  }

  /// Counts the bytes up to the end of the connection without keeping them.
  func countToEnd() -> Int {
    var count = buffer.count
    buffer = []
    while fill() {
      count += buffer.count
      buffer = []
    }
    return count
  }

  /// Reads one answer; `nil` when the connection ends before it is whole.
  func readAnswer(hasBody: Bool = true) -> Answer? {
    var searched = 0
    var found = endOfHead(from: 0)
    while found == nil {
      searched = max(0, buffer.count - 3)
      guard fill() else { return nil }
      found = endOfHead(from: searched)
    }
    guard let end = found else { return nil }
    let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
    buffer.removeFirst(end + 4)
    let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
    guard words.count >= 2, let status = Int(words[1]) else { return nil }
    let fields = lines.dropFirst().map { line in
      let name = line.prefix { $0 != ":" }
      return (name: String(name), value: String(line.dropFirst(name.count + 2)))
    }
    var answer = Answer(status: status, fields: fields, body: [])
    guard hasBody, let length = answer["Content-Length"].flatMap({ Int($0) }) else { return answer }
    while buffer.count < length {
      guard fill() else { return nil }
    }
    answer.body = Array(buffer[..<length])
    buffer.removeFirst(length)
    return answer
  }

  private func endOfHead(from start: Int) -> Int? {
    buffer.withUnsafeBufferPointer { bytes in
      var index = start
      while index + 4 <= bytes.count {
        if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D { return index }
        index += 1
      }
      return nil
    }
  }

  private func fill() -> Bool {
    let bytes =
      tls?.receive()
      ?? [UInt8](unsafeUninitializedCapacity: 64 << 10) { bytes, count in
        count = max(recv(descriptor, bytes.baseAddress, bytes.count, 0), 0)
      }
    buffer.append(contentsOf: bytes)
    return !bytes.isEmpty
  }
}
