import GatebookSystem

/// A program that speaks with a proxy byte by byte.
final class RawClient {
  let socket: Int32

  init?(_ socket: Int32?) {
    guard let socket else { return nil }
    self.socket = socket
    Sockets.limitWait(socket, seconds: 20)
  }

  deinit { FileDescriptor.close(socket) }

  /// Sends a text.
  func send(_ text: String) { Sockets.send(Array(text.utf8), to: socket) }

  /// Receives until a text has come, or the end.
  func receive(until text: String? = nil) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      if let text, String(decoding: bytes, as: UTF8.self).contains(text) { break }
      let count = Sockets.receive(socket, &buffer, waits: true)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the other side ends the connection without another byte.
  func hasEnded() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16)
    return Sockets.receive(socket, &buffer, waits: true) <= 0
  }
}
