internal import GatebookSystem
internal import Testing

/// Something else at an agent's socket: it answers the first connection with bytes, and closes it.
final class OtherAgent {
  let path: String
  private let text = Locked("")
  private let thread: PosixThread

  init(at path: String, answering answer: String) throws {
    self.path = path
    let socket = try #require(LocalSocket.listen(at: path))
    let text = text
    thread = try PosixThread {
      _ = FileDescriptor.awaitReadable([socket], atMost: 60_000)
      defer { FileDescriptor.close(socket) }
      guard let peer = Sockets.accept(socket) else { return }
      defer { FileDescriptor.close(peer) }
      Sockets.limitWait(peer, seconds: 10)
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      let count = Sockets.receive(peer, &buffer, waits: true)
      text.withLock { $0 = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) }
      _ = FileDescriptor.write(answer.utf8, to: peer)
    }
  }

  deinit { thread.join() }

  /// What was sent first.
  var heard: String { text.withLock { $0 } }
}
