import GatebookSystem

/// A program that speaks with a proxy byte by byte.
final class RawClient: Sendable {
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
  func receive(until text: String? = nil) async -> String {
    await waiting {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        if let text, String(decoding: bytes, as: UTF8.self).contains(text) { break }
        let count = Sockets.receive(self.socket, &buffer, waits: true)
        guard count > 0 else { break }
        bytes += buffer[..<count]
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Whether the other side ends the connection without another byte.
  func hasEnded() async -> Bool {
    await waiting {
      var buffer = [UInt8](repeating: 0, count: 16)
      let count = Sockets.receive(self.socket, &buffer, waits: true)
      return count == 0 || (count < 0 && SystemError.last != .wouldBlock)
    }
  }

  /// Does what blocks on a thread of its own: the proxy's requests need the shared ones.
  private func waiting<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      do {
        try PosixThread.detach { continuation.resume(returning: body()) }
      } catch {
        continuation.resume(returning: body())
      }
    }
  }
}
