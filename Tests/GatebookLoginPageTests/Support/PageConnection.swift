import Gatebook
import GatebookSystem
import Testing

/// One connection to the port of a login page, byte by byte.
final class PageConnection: Sendable {
  private let socket: Int32

  init(port: Int) throws {
    socket = try #require(Sockets.connected(to: UInt16(port), waitingAtMost: 20))
  }

  deinit { FileDescriptor.close(socket) }

  /// Whether nobody listens at a port.
  static func isRefused(port: Int) -> Bool {
    guard let socket = Sockets.connected(to: UInt16(port), waitingAtMost: 20) else { return true }
    FileDescriptor.close(socket)
    return false
  }

  /// Sends bytes; those that the other side no longer takes are lost.
  func send(_ text: String) { Sockets.send(Array(text.utf8), to: socket) }

  /// The answer, to the end of the connection; `nil` for none.
  func answer() async -> PageAnswer? {
    let text = await waiting { [socket] in
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = Sockets.receive(socket, &buffer, waits: true)
        guard count > 0 else { break }
        bytes += buffer[..<count]
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    return PageAnswer(text)
  }

  /// Does what blocks on a thread of its own: the page's answers need the shared ones.
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
